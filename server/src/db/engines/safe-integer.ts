/** Reads a whole number that a server sent as text. Rather fails than loses precision beyond 2^53. */
export const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database holds ${text}, beyond what counts exactly`)
  return value
}

/** Reads a decimal (the sum of 64-bit columns comes as one); a whole one must be a safe integer. */
export const safeDecimal = (text: string): number => (/^-?\d+$/.test(text) ? safeInteger(text) : Number(text))

/** Lets a number through that the database can store exactly. */
export const storableNumber = (value: number): number => {
  const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
  if (!exact) throw new RangeError(`${value} cannot be stored exactly`)
  return value
}
