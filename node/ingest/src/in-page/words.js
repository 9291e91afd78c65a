/**
 * Words by which furniture of a page is told, in the languages of most pages. Every pattern is for a
 * whole short block or its beginning; none is enough to remove a paragraph of prose.
 */

/**
 * A pattern, all in small letters, for text in any case. One that ignores case takes several times
 * as long to compile, and every page is read by a process that has compiled nothing yet.
 * @param {string} source
 */
const inAnyCase = (source) => {
  const pattern = new RegExp(source);
  return { test: (/** @type {string} */ text) => pattern.test(text.toLowerCase()) };
};

/** @param {string[]} words */
const oneOf = (words) => `(?:${words.join("|")})`;

const RELATED = oneOf([
  "related(?: (?:articles?|stor(?:y|ies)|content|coverage|posts?|topics?|links?|news|reading|videos?))?",
  "more (?:stories|news|coverage|to read|like this)",
  "most (?:popular|read|viewed|shared|commented)",
  "trending(?: now)?|recommended(?: for you)?|(?:trending|popular|recommended|latest|top) (?:articles|stories|posts|news|videos)",
  "you (?:may|might) (?:also )?(?:like|be interested in)",
  "(?:read|watch) (?:more|also|next)",
  "(?:also|must) read",
  "what to read next|up next|don.t miss|editor.?s.? picks?|in case you missed it",
  "more commentary|also of interest|(?:this )?may also be of interest to you",
  "lesen sie auch|auch interessant|mehr zum thema|mehr dazu|zum thema|weiterlesen|meistgelesen|verwandte (?:artikel|themen|beiträge)|weitere (?:artikel|themen)|ähnliche (?:artikel|beiträge|themen)",
  "(?:das|dies|diese)(?: \\S+)? könnten? (?:dich|sie|euch)(?: auch)? interessieren",
  "lire aussi|à lire aussi|à lire également|sur le même sujet|les plus lus|articles liés|à découvrir",
  "lea también|lee también|leer más|te puede interesar|más noticias|noticias relacionadas|lo más leído|también te puede interesar",
  "leggi anche|potrebbe interessarti|articoli correlati|i più letti",
  "leia também|leia mais|saiba mais|mais lidas|notícias relacionadas",
  "lees ook|lees meer|meest gelezen|gerelateerd(?:e artikelen)?",
  "läs också|läs även|läs mer|les også|les mer|læs også|læs mere|lue myös",
  "czytaj także|czytaj też|czytaj również|przeczytaj także|polecamy",
  "čtěte také|přečtěte si také|čítajte aj|mohlo by vás zajímat|související",
  "olvasta már|kapcsolódó (?:cikkek|cikk)|citește și|διαβάστε επίσης|прочетете още",
  "читайте также|читайте ще|читайте також|по теме|материалы по теме",
  "ilgili haberler|ilginizi çekebilir|ayrıca okuyun",
  "baca juga|xem thêm|tin liên quan|यह भी पढ़ें|আরও পড়ুন|อ่านเพิ่มเติม|ข่าวที่เกี่ยวข้อง",
  "اقرأ أيضا|اقرأ أيضاً|اقرأ المزيد|مواضيع ذات صلة|بیشتر بخوانید|קראו גם|קרא גם|כתבות נוספות",
  "阅读下一篇|関連記事|関連ニュース|あわせて読みたい|おすすめ記事|続きを読む|相关阅读|相关新闻|延伸阅读|推荐阅读|相關新聞|延伸閱讀|관련기사|관련 기사|추천기사",
]);

const START = "^[\\s\\u00bb\\u203a>▶►→•*\\[(-]*";
const END = "[\\s\\u00bb\\u203a>▶►→:：.…!\\])-]*$";

/** A block that only announces others. */
export const RELATED_LABEL = inAnyCase(`${START}${RELATED}${END}`);
/** The same, where it is links that follow. */
export const MORE_LABEL = inAnyCase(
  `${START}(?:(?:more (?:from|on|in|about)|mehr (?:zu|von|aus)|auch auf) .{2,40}|weitere informationen|weiterführende links?)${END}`,
);
/** A block that begins by announcing what it links to. */
export const RELATED_PREFIX = inAnyCase(
  `${START}(?:${RELATED}|see also|voir aussi|veja também|zobacz także|zobacz też|смотрите также)\\s*[:：|–—>»-]`,
);

/** What says that the text is interrupted, and goes on. */
const PAUSES = oneOf([
  "(?:skip )?advertisements?(?: ?[-–] ?(?:scroll|continue reading|article continues|story continues) ?.{0,40})?",
  "(?:story|article|post|text) continues? (?:below|after)(?: (?:the |this )?(?:advertisement|ad|promotion|newsletter promotion|video))?",
  "continue reading(?: the main story| below| this (?:article|story|post))?|(?:click (?:here )?to )?(?:continue|keep) reading|(?:click )?here to read more",
  "read (?:more|on|the (?:full|whole|rest of the) (?:story|article|post))|read full (?:story|article|post)|weiterlesen|lire la suite|leer más|seguir leyendo|lees meer",
  "anzeige|werbung|publicité|publicidad|pubblicità|publicidade|advertentie|annons|annonse|annonce|mainos|reklama?|реклама|reklam|إعلان|פרסומת|広告|广告|廣告|광고",
]);
export const PAUSE = inAnyCase(`${START}${PAUSES}${END}`);

const FURNITURE_LINES = oneOf([
  "sponsored(?: content)?|promoted|ad|(?:read|continue reading) the rest|read (?:article|story)",
  "share(?: (?:this|on|via|it|article|story|this (?:article|story|post|page)))?|tweet this|pin it|e-?mail(?: this)?(?: article| story)?|print(?: this)?(?: article| story| page)?|whatsapp|facebook|twitter|linkedin|reddit|telegram|copy (?:the )?link|link copied|save(?: article| story| for later)?|bookmark|like(?: this)?",
  "teilen|drucken|merken|partager|imprimer|compartir|imprimir|condividi|stampa|compartilhar|delen|dela|udostępnij|поделиться|paylaş|シェアする?|分享(?:到)?|공유(?:하기)?",
  "(?:\\d+ )?comments?(?: \\(?\\d*\\)?)?|\\d+ shares?|no comments(?: yet)?|leave a (?:comment|reply)|post a comment|add a comment|view comments|show comments|join the (?:conversation|discussion)|reply|(?:add|write) your comment|be (?:the )?first to (?:comment|contribute)|recent comments(?: on our stories)?",
  "kommentare? (?:schreiben|verfassen|hinzufügen|abgeben|geschlossen)|\\d+ réactions?|répondre à cet article",
  "\\d* ?kommentare?|\\d+ commentaires?|commentaires?|\\d+ comentarios|comentarios|commenti|reacties",
  "(?:← )?(?:vorherige[rs]?|zurück|previous|older(?: posts?)?|précédente?|anterior)[\\s|/·]*(?:nächste[rs]?|weiter|vor|next|newer(?: posts?)?|suivante?|siguiente)(?: →)?|pages?: [\\d\\s|]+|\\d+ views?|visto \\d+ veces|(?:image|photo|bild) \\d+ (?:of|von) \\d+|\\d?\\d:\\d\\d - source: .{2,30}|play video|please wait",
  "(?:\\[\\+\\] ?)?(?:click (?:image )?to )?enlarge(?: (?:this )?image)?|hide caption|toggle caption|show caption|view (?:gallery|slideshow|photos)|(?:open|launch) gallery|slideshow(?: \\( ?\\d+ (?:images|photos) ?\\))?|close|play|pause|replay|mute|loading(?:\\.\\.\\.)?|video ad feedback|text size|font size|skip (?:to (?:main )?content|ad(?:vertisement)?)|back to top|jump to .{2,30}|view on (?:instagram|twitter)|view this post on instagram",
  "follow(?: us)?|sign (?:in|up)|log ?in|register|subscribe(?: now)?|sign up now|get started|learn more|try again|next(?: article| story| page)?|previous(?: article| story| page)?|load more|show more|see more|more|view all|see all",
  "bild vergrößern|artikel anhören|feedback|nach oben|zur startseite|agrandir l.image|ampliar(?: foto)?",
]);

/** A whole block that is a control or a label of the page around the article. */
export const FURNITURE_LINE = inAnyCase(`${START}${FURNITURE_LINES}${END}`);

/** The beginning of a line that asks the reader to do something elsewhere. */
export const CALL = inAnyCase(
  `${START}${oneOf([
    "(?:please )?(?:sign|log) (?:up|in|on)\\b",
    "(?:please )?(?:subscribe|register|download|get|install) (?:to|for|now|here|today|our|the (?:free )?.{0,20}(?:app|newsletter)|your free)\\b",
    "(?:please )?(?:follow|like|join|find|connect with|contact|support|email) (?:us|me|@|our|.{2,40} (?:on|at) (?:twitter|facebook|instagram|linkedin|youtube|google|x\\b))",
    "(?:click|tap) (?:here|on|to)\\b",
    "add us on\\b|read or share this story|by continuing (?:to|your|with)\\b|enter your? e-?mail",
    "(?:you can )?(?:read|see|watch|get|find) (?:more|the full|our|all)\\b.{0,80}\\b(?:here|newsletter|coverage|stories|on our|below)",
    "have (?:a|you got a) (?:story|tip|news|question|comment)|do you have a",
    "get .{2,60}(?:in your inbox|newsletter|delivered|straight to)|want more .{2,60}\\?|(?:this|our) (?:website|site) uses cookies|we use cookies|by (?:signing up|subscribing|submitting|clicking)",
    "(?:melden sie sich|jetzt|hier) .{0,60}(?:newsletter|anmelden|abonnieren|registrieren)|folgen sie|abonnieren sie|diese (?:web)?seite verwendet cookies|wir verwenden cookies",
    "bitte melden sie sich an|devenez fan|abonnez-vous|inscrivez-vous|suivez-nous|recevez|cliquez ici|suscríbete|regístrate|síguenos|síganos|sigue a|recibe|haz clic|iscriviti|seguici|clicca qui|assine|inscreva-se|siga|receba|clique aqui|schrijf je in|meld je aan|volg ons|klik hier|prenumerera|följ oss|klicka här|zapisz się|obserwuj|kliknij|подписывайтесь|подпишитесь|следите за|abone ol|bizi takip",
    "フォローする|メルマガ|登録はこちら|扫一扫|扫码|关注我们|点击进入|訂閱|구독|무단 ?전재|저작권자",
  ])}`,
);

/** Under which words a page is filed, above or below the text. */
export const FILED = inAnyCase(
  `${START}${oneOf([
    "tags?|tagged(?: (?:as|with|in))?|categor(?:y|ies)|filed (?:under|in)|posted in|keywords|topics|related topics",
    "schlagw(?:orte?|örter)|stichw(?:orte?|örter)|kategorien?|rubrik|abgelegt unter|mots[- ]clés|catégories?|étiquettes|etiquetas|categor[ií]as?|temas",
    "рубрики|теги|метки|标签|关键词|關鍵字|タグ",
  ])}\\s*(?:[:：]|$)`,
);

/** Who owns the text, at its end. */
export const COPYRIGHT =
  /^[\s\p{P}\p{S}]*(?:[©™]|\(c\)|copyright\b|(?:tm )?(?:and|&) ©|all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|tutti i diritti riservati|todos os direitos reservados|this (?:material|article|content|story) (?:may not|cannot) be|reprinted with permission)/iu;

/** How old it is, or how long it takes to read, above the text. */
export const AGE =
  /^(?:(?:published|posted|updated|last updated)[\s:]*)?(?:\d+ (?:minute|hour|day|week|month|year)s? ago|\d+ ?-?min(?:ute)?s?\.? read)\b.{0,60}$/iu;

/** Who wrote it, above the text. */
export const BYLINE =
  /^(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|[Aa]v|[Aa]f|[Aa]utor:?|[Aa]uthor:?|[Ww]ritten by|[Tt]ext:)\s+\p{Lu}[\p{L}.'’-]+(?:[ ,&|/·•-]+(?:and |und |et |y |e )?[\p{L}.'’@-]+){0,12}$/u;

const DATE =
  /(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日|\d{1,2}(?:st|nd|rd|th|er|\.)?(?: de)? \p{L}{3,10}\.?(?: de)?,? \d{4}|\p{L}{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})/u;
const CLOCK = /\d{1,2}[:.h]\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?(?: ?(?:uhr|gmt|utc|[A-Z]{2,4}T))?/iu;
const STAMP = new RegExp(
  `^[\\s\\p{P}\\p{S}]*(?:${oneOf([
    "(?:by|von|par|por|di|door|av|af|text|autor|author)\\b.{3,60}?",
    "(?:(?:first |last )?(?:published|posted|updated|modified)|submitted|created|erstellt|gespeichert|veröffentlicht|aktualisiert|publié|mis à jour|publicado|actualizado|pubblicato|aggiornato|gepubliceerd|publicerad|opublikowano|опубликовано|发布时间|公開日?|更新日?|입력|수정)(?!\\p{L}).{0,40}?",
    "date|datum|stand|on|am|le|el",
    "\\p{L}{3,10}(?:day|tag|woch|abend|di|ndi|udi)",
  ])}[\\s|,.:-]*)?${DATE.source}`,
  "iu",
);
const OTHER_WORDS = 6;

/**
 * Whether a line says when something was published, and by whom: a date, and few other words.
 * @param {string} text
 */
export function isStamp(text) {
  if (!/\d/.test(text)) return false;
  if (!STAMP.test(text) || /[.!?…。]["'”’»)\]]*$/.test(text.replace(CLOCK, ""))) return false;
  const rest = text.replace(STAMP, " ").replace(CLOCK, " ");
  return (rest.match(/[\p{L}\p{M}'’-]+/gu) ?? []).length <= OTHER_WORDS;
}
