/** A category and what its listings are made of. */
export interface Category {
  readonly slug: string;
  readonly name: string;
  readonly group: string;
  readonly order: number;
  /** Second words of names. A category without any has no listing with a Latin name. */
  readonly words: readonly string[];
  /** What such a site is about, in a few words. */
  readonly subjects: readonly string[];
}

/** Orders repeat, so that the slug has to break ties. */
export const CATEGORIES: readonly Category[] = [
  of("education", "Education", "knowledge", 10, {
    words:
      "academy school college classroom tutor lessons campus learning lyceum faculty homework seminar",
    subjects: ["short courses", "lessons for beginners", "evening classes", "exam preparation"],
  }),
  of("science", "Science", "knowledge", 10, {
    words:
      "institute observatory laboratory microscope journal theorem genome physics chemistry botany geology",
    subjects: ["field notes", "open measurements", "popular science", "research summaries"],
  }),
  of("reference", "Reference", "knowledge", 20, {
    words: "almanac glossary atlasbook encyclopedia index dictionary handbook wiki archive lexicon",
    subjects: ["definitions", "tables and figures", "a dictionary", "historical records"],
  }),
  of("health", "Health", "knowledge", 20, {
    words:
      "clinic wellness pharmacy dental physio therapy nursing doctor midwife optician hospital pediatrics",
    subjects: ["appointments", "preventive care", "exercise at home", "patient information"],
  }),
  of("arts", "Arts & design", "culture", 30, {
    words: "gallery studio canvas ceramics print atelier pottery typography sculpture sketch easel",
    subjects: ["prints and posters", "exhibitions", "commissioned work", "type design"],
  }),
  of("books", "Books", "culture", 30, {
    words:
      "books library press reader chapter novel bindery poetry bookshop stories quill magazines",
    subjects: ["second-hand books", "reading circles", "new translations", "small editions"],
  }),
  of("music", "Music", "culture", 30, {
    words: "records sound choir jazz guitar festival concert orchestra vinyl rhythm piano strings",
    subjects: ["live recordings", "concert dates", "sheet music", "instrument repair"],
  }),
  of("film-games", "Film & games", "culture", 40, {
    words: "cinema films games arcade puzzles boardgames animation theatre screen comics",
    subjects: ["reviews", "screenings", "rules and strategy", "independent games"],
  }),
  of("museums", "Museums", "culture", 40, {
    words: "museum heritage collection exhibit treasury curator",
    subjects: ["guided tours", "digitised collections", "local history"],
  }),
  of("shops", "Shops", "commerce", 50, {
    words:
      "shop store market supply outlet goods bazaar emporium trading mercantile depot hardware toys",
    subjects: ["everyday goods", "repairs and spare parts", "gifts", "office supplies"],
  }),
  of("food-drink", "Food & drink", "commerce", 50, {
    words:
      "bakery kitchen coffee brewery tea deli vineyard bistro pantry creamery roastery cafe grill recipes pizzeria",
    subjects: ["seasonal recipes", "freshly roasted coffee", "table bookings", "farm deliveries"],
  }),
  of("fashion", "Fashion", "commerce", 60, {
    words: "apparel tailor knitwear jewelry boutique footwear leather textiles wardrobe shoes",
    subjects: ["made to measure", "repairable clothes", "undyed wool", "hand-made jewellery"],
  }),
  of("travel", "Travel", "commerce", 60, {
    words:
      "travel tours hotel hostel voyages trails journeys holidays camping lodge ferries cruises maps",
    subjects: ["walking routes", "night trains", "small hotels", "travel reports"],
  }),
  of("real-estate", "Real estate", "commerce", 70, {
    words: "homes realty estates lettings housing architects property apartments",
    subjects: ["flats to rent", "valuations", "building plans"],
  }),
  of("business-services", "Business services", "commerce", 70, {
    words:
      "consulting ledger accounting partners advisors legal payroll insurance logistics freight agency recruiting marketing",
    subjects: ["bookkeeping", "contracts and advice", "freight quotes", "payroll for small teams"],
  }),
  of("developer-tools", "Developer tools", "technology", 80, {
    words: "dev code stack compiler debug api toolkit runtime packages deploy scripts docs sdk",
    subjects: ["a command line tool", "an HTTP API", "type-safe clients", "release automation"],
  }),
  of("open-source", "Open source", "technology", 80, {
    words: "project commons foundation framework source kernel guild",
    subjects: ["a free library", "community builds", "a plug-in system"],
  }),
  of("ai-products", "AI products", "technology", 90, {
    words: "ai assistant models agent prompt vision inference neural copilot robotics chatbot",
    subjects: ["document search", "meeting notes", "translation", "image descriptions"],
  }),
  of("infrastructure", "Hosting & infrastructure", "technology", 90, {
    words: "cloud hosting servers network storage dns backup edge fiber",
    subjects: ["managed databases", "object storage", "name servers"],
  }),
  of("security", "Security", "technology", 90, {
    words: "security shield vault sentinel cipher firewall audit",
    subjects: ["security reviews", "password storage", "incident reports"],
  }),
  of("government", "Government", "public", 100, {
    words: "council registry county ministry parish township city",
    subjects: ["forms and permits", "public notices", "opening hours of offices"],
  }),
  of("non-profit", "Non-profit", "public", 100, {
    words: "trust charity relief volunteers alliance society shelter",
    subjects: ["volunteering", "annual reports", "donations in kind"],
  }),
  of("news", "News", "public", 100, {
    words:
      "news times herald gazette post tribune weekly bulletin chronicle observer dispatch radio",
    subjects: ["local reporting", "a weekly letter", "commentary", "sports results"],
  }),
  of("community", "Local community", "public", 110, {
    words: "neighbours forum meetup village events noticeboard coop",
    subjects: ["things to lend", "events nearby", "a car pool"],
  }),
  of("sports", "Sports", "life", 110, {
    words:
      "sports cycling running climbing football tennis rowing sailing yoga gym fitness chess surfing",
    subjects: ["training plans", "match reports", "club membership", "boat hire"],
  }),
  of("home-garden", "Home & garden", "life", 110, {
    words: "garden nursery furniture interiors carpentry plumbing roofing flowers seeds lawn tools",
    subjects: ["planting calendars", "restored furniture", "a repair service"],
  }),
  of("space", "Space", "knowledge", 120, { words: "", subjects: [] }),
];

function of(
  slug: string,
  name: string,
  group: string,
  order: number,
  { words, subjects }: { words: string; subjects: readonly string[] },
): Category {
  return { slug, name, group, order, words: words.match(/\S+/g) ?? [], subjects };
}
