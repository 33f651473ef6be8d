/** Longest text that names something: a path, a tag, a date, an expression. In UTF-16 units. */
export const LONGEST_NAME = 4_096;

/** Longest list of names in one text: fifty paths and their commas. */
export const LONGEST_LIST = 65_536;
