/** The fonts of cards in base64: Inter, 400 and 700, Latin, Greek and Cyrillic letters. See .build/fonts.ts. */
export declare const FONTS: readonly string[];
