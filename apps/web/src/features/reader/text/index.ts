/** The text on the page, without any framework: what the app shows and what tests look into. */
export { ArticleText } from "./articleText";
export { prepareArticle } from "./prepareArticle";
