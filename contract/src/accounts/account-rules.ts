// Rules for the fields of an account, for schemas, the server and the console's forms; imports no schema library.
// Lengths count UTF-16 units, as a schema's `max` and a field's `maxlength` do.

export const longestUsername = 12
/** Refuses invisible characters too: two names that look the same could pass for one another. */
export const usernamePattern = /^[^@\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]+$/u
export const longestDisplayName = 20

export const shortestPassword = 8
/** Longest password of any account. */
export const longestPassword = 64
/** Longest password that can be registered with. */
export const longestNewPassword = 20

/** Six digits of an authenticator, or a recovery code, with the blanks and dashes that people put in. */
export const longestCode = 64
/** Why an administrator adjusted a balance. */
export const longestReason = 200
export const longestViewName = 60
