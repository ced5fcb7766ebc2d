/** Sites whose names, texts and often hosts are not English. */
export interface Language {
  /** RFC 5646. */
  readonly tag: string;
  readonly tlds: readonly string[];
  /** Every first or every second word has a letter beyond ASCII, so that hosts are punycode. */
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** Between the words of a name. */
  readonly space: string;
  /** Between the words of a host. */
  readonly joint: string;
  readonly taglines: readonly string[];
  readonly about: readonly string[];
}

const NONE = { space: "", joint: "" };
const SPACED = { space: " ", joint: "-" };

export const LANGUAGES: readonly Language[] = [
  {
    tag: "ru",
    tlds: ["рф", "ru", "com"],
    first: list(
      "тихий новый северный добрый светлый быстрый дальний старый красный морской лесной",
    ),
    second: list("дом сад берег город мир рынок клуб журнал мастер театр музей вокзал"),
    ...SPACED,
    taglines: ["Всё о городе и людях", "Свежие новости каждый день", "Сделано с любовью к делу"],
    about: ["Независимый проект с 2009 года.", "Доставка по всей стране и честные цены."],
  },
  {
    tag: "zh",
    tlds: ["中国", "cn", "com"],
    first: list("青云 明月 春风 南山 东海 长河 白鹭 金秋 星辰 翠竹 千里 百川"),
    second: list("书店 茶馆 科技 教育 旅行 设计 新闻 音乐 厨房 花园 医院 博物馆"),
    ...NONE,
    taglines: ["用心做好每一件小事", "每天分享新的知识", "让阅读成为习惯"],
    about: ["我们为读者提供可靠的信息与服务。", "成立于二〇一二年，服务全国用户。"],
  },
  {
    tag: "ja",
    tlds: ["jp", "com", "みんな"],
    first: list("ひかり さくら みどり あおぞら こもれび ほしぞら なぎさ つばさ ことり もみじ"),
    second: list("書店 カフェ 工房 学園 旅行 図書館 新聞 音楽 食堂 農園 写真 研究所"),
    ...NONE,
    taglines: ["暮らしに小さな発見を", "地元の食材を毎日お届け", "学びたい人のための場所"],
    about: ["地域に根ざした情報を発信しています。", "創業以来、手作りにこだわっています。"],
  },
  {
    tag: "ko",
    tlds: ["한국", "kr", "com"],
    first: list("푸른 작은 새로운 따뜻한 맑은 고운 빠른 즐거운 하얀 깊은"),
    second: list("서점 정원 여행 학교 신문 음악 부엌 공방 시장 극장"),
    space: " ",
    joint: "",
    taglines: ["매일 새로운 이야기", "함께 배우는 공간", "정직한 가게"],
    about: ["지역 주민이 함께 만드는 공간입니다.", "좋은 물건만 골라 소개합니다."],
  },
  {
    tag: "ar",
    tlds: ["com", "net", "org"],
    first: list("بيت سوق دليل مجلة واحة مكتبة نادي أكاديمية متحف مطبخ حديقة"),
    second: list("النور المدينة الشرق الأمل البحر المعرفة الصحراء الزيتون السفر الكتاب الصحة"),
    ...SPACED,
    taglines: ["معرفة مفتوحة للجميع", "أخبار وتقارير كل يوم", "كل ما تحتاجه في مكان واحد"],
    about: ["نقدم محتوى عربيًا موثوقًا منذ سنوات.", "خدمة سريعة وأسعار واضحة."],
  },
  {
    tag: "el",
    tlds: ["gr", "ελ", "com"],
    first: list("μικρό μεγάλο παλιό νέο μπλε λευκό πράσινο φωτεινό ήσυχο γαλάζιο"),
    second: list("σπίτι βιβλίο νησί λιμάνι θέατρο σχολείο περιοδικό μουσείο εργαστήρι"),
    ...SPACED,
    taglines: ["Ιδέες και τόπος για όλους", "Ο ΚΟΣΜΟΣ ΤΩΝ ΒΙΒΛΙΩΝ", "Ταξίδια, γεύσεις, άνθρωποι"],
    about: ["Ένας μικρός οδηγός της πόλης.", "Λόγος και τέχνη από το 1998."],
  },
  {
    tag: "fr",
    tlds: ["fr", "com", "eu"],
    first: list("atelier maison jardin studio cuisine librairie école galerie ferme presse"),
    second: list("étoile forêt rêve fenêtre chêne été lumière rivière théâtre île crème vélo"),
    ...SPACED,
    taglines: ["L’art de vivre près de chez vous", "Créé à la main, réparé à vie"],
    about: ["Une équipe indépendante, déjà récompensée.", "Livraison gratuite dès 30 €."],
  },
  {
    tag: "de",
    tlds: ["de", "at", "ch"],
    first: list("grüne schöne frühe kühle blühende fröhliche natürliche nördliche gemütliche"),
    second: list(
      "werkstatt bibliothek küche reise zeitung schule apotheke galerie bühne gärtnerei",
    ),
    ...SPACED,
    taglines: ["Geprüfte Qualität für Zuhause", "Größe zeigt sich im Kleinen"],
    about: [
      "Familiengeführt seit 1987, mit Straßenverkauf.",
      "Öffnungszeiten täglich außer montags.",
    ],
  },
  {
    tag: "es",
    tlds: ["es", "com.mx", "com"],
    first: list("librería panadería galería estación floristería cafetería jardinería colección"),
    second: list("sol luna norte sur río mar monte valle puente plaza nube olivo"),
    ...SPACED,
    taglines: ["¿Qué leemos hoy?", "Hecho aquí, con cariño y paciencia"],
    about: ["Más de diez años cerca de ti.", "Envíos en 24 horas a toda España."],
  },
  {
    tag: "pl",
    tlds: ["pl", "com.pl", "eu"],
    first: list("złoty mały żółty piękny świeży błękitny łagodny wesoły biały ciepły"),
    second: list("dom ogród sklep świat klub teatr zeszyt brzeg most rynek las kurier"),
    ...SPACED,
    taglines: ["Codziennie świeże wiadomości", "Żyj wolniej, czytaj więcej"],
    about: ["Działamy lokalnie od 2004 roku.", "Wysyłka w ciągu jednego dnia."],
  },
  {
    tag: "tr",
    tlds: ["com.tr", "com", "org"],
    first: list("ışık güneş çınar gökyüzü yıldız bahçe şehir köprü"),
    second: list("evi atölyesi kitabevi mutfağı rehberi okulu müzesi pazarı"),
    ...SPACED,
    taglines: ["İstanbul’dan dünyaya", "Işığın izinde her gün"],
    about: ["Yerel üreticilerle çalışıyoruz.", "Öğrenmek isteyen herkes için."],
  },
];

function list(words: string): readonly string[] {
  return words.split(" ");
}
