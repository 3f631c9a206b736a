/** Characters of a model's name; the server's columns have as many bytes. */
export const longestModelName = 255
/** Characters of the IANA name of a time zone. */
export const longestTimeZone = 64
/** Quota of one top-up or one redemption code: far above any gift, far below what a balance holds exactly. */
export const mostQuotaAtOnce = 1e14
/** Characters of a channel's name, and of its tag. */
export const longestChannelName = 200
/** Rows that one batch call changes at most; it answers where to go on. */
export const batchSize = 100
/** Seconds for which a delete can be undone, where the rows are kept. */
export const undoSeconds = 600
/** Rows of a page at most. */
export const largestPageSize = 100

/** UTF-16 units of the id of a customer of the caller for whom a call is made; a column holds 255. */
export const longestEndUser = 128

/** Tokens that one call makes or changes at most. */
export const mostTokensAtOnce = 100
/** Bytes of a token's name in UTF-8. */
export const longestTokenNameBytes = 30
/** Letters and digits after a `-` that the name of the second and every further token gets when several are made. */
export const tokenSuffixLength = 6
/** Characters of the comma list of models that a token may call. */
export const longestTokenModels = 1024
