const text = Symbol('json')

/**
 * The JSON text of an object that nobody changes any more, made once: it goes into more than one place. It is kept in the
 * object itself, where neither copies nor comparisons meet it: a weak map costs the garbage collector more than the printing.
 */
export const printedJson = (value: object & { readonly [text]?: string }): string => {
  const known = value[text]
  if (known !== undefined) return known
  const printed = JSON.stringify(value)
  if (Object.isExtensible(value)) Object.defineProperty(value, text, { value: printed })
  return printed
}
