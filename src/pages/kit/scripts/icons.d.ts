/** The images of the directory's icon, in base64. `npm run build` makes the module: see .build/icons.ts. */
export declare const ICON_IMAGES: Readonly<Record<"favicon" | "touchIcon", string>>;
