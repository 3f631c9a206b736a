// Rules for the fields of a token, for schemas, the server and the console's forms; imports no schema library.

/** Tokens that one call makes or changes at most. */
export const mostTokensAtOnce = 100
/** Bytes of a token's name in UTF-8. */
export const longestTokenNameBytes = 30
/** Letters and digits after a `-` that the name of the second and every further token gets when several are made. */
export const tokenSuffixLength = 6
/** Characters of the comma list of models that a token may call. */
export const longestTokenModels = 1024
