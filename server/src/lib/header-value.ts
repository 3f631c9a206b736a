/** Characters of a header value that holds outside text, at most. Clients commonly refuse heads above 8 or 16 kB. */
export const longestHeaderValue = 2048

const cutMark = '...'
const plainText = /^[\t\x20-\x7e]*$/
const hidden = /[^\t\x20-\x7e]+/g
/** Also `%` and `,`, which would be ambiguous in a list of percent-encoded names. */
const hiddenInName = /[^\x20-\x7e]+|[%,]/g

const hexOf = (bytes: Buffer): string => {
  let text = ''
  for (const byte of bytes) text += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return text
}

const utf8 = (text: string): string => hexOf(Buffer.from(text))

/** Characters up to U+00FF are bytes as node reads them from the wire; others are encoded as UTF-8. */
const wireBytes = (text: string): string => hexOf(Buffer.from(text, /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf8'))

/** Cuts to the limit, never within an encoded byte. */
const cut = (value: string): string =>
  value.slice(0, longestHeaderValue - cutMark.length).replace(/%[0-9A-F]?$/, '') + cutMark

/**
 * Makes a header value of an upstream safe for `writeHead`: bytes beyond printable ASCII are percent-encoded, values above
 * `longestHeaderValue` are cut and end with `...`. Other values stay unchanged.
 */
export const headerValue = (value: string): string => {
  if (value.length <= longestHeaderValue && plainText.test(value)) return value
  const encoded = value.slice(0, longestHeaderValue + 1).replace(hidden, wireBytes)
  return encoded.length <= longestHeaderValue ? encoded : cut(encoded)
}

/**
 * Joins untrusted names to one header value: each percent-encoded as UTF-8 (also `%` and `,`), joined by `, `. Names beyond the
 * limit are counted: `a, b, +7 more`.
 */
export const headerList = (names: readonly string[]): string => {
  const reserve = 16
  let value = ''
  for (const [index, name] of names.entries()) {
    const encoded = name.replace(hiddenInName, utf8)
    const next = index === 0 ? encoded : `${value}, ${encoded}`
    if (next.length > longestHeaderValue - reserve) {
      const left = `+${names.length - index} more`
      return index === 0 ? left : `${value}, ${left}`
    }
    value = next
  }
  return value
}
