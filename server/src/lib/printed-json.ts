const texts = new WeakMap<object, string>()

/** The JSON text of an object that nobody changes any more, made once: it goes into more than one place. */
export const printedJson = (value: object): string => {
  const known = texts.get(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  texts.set(value, text)
  return text
}
