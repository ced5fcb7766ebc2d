/** The fonts of cards, as WOFF2 in base64: Inter, 400 and 700, Latin letters. See .build/scripts.ts. */
export declare const CARD_FONTS: readonly string[];
