/** UTF-16 units that may stand between the beginning of a name and that of its text. */
const longestOpening = 200
/** Units of an escape. */
const longestEscape = 6
const escapedPadding = /\\u003d/gi

export interface Base64Member {
  /** Bytes of the content in the next chunk of the answer. */
  take(chunk: Buffer): Buffer
  /** False until the member was found. */
  readonly isFound: boolean
  /** True once its text has ended. */
  readonly isWhole: boolean
}

/** Decodes the first member of a name that is a Base64 text, from JSON that comes in chunks. Holds a few bytes at a time. */
export const openBase64Member = (name: string): Base64Member => {
  const opening = new RegExp(`"${name}"\\s*:\\s*"`)
  let isFound = false
  let isWhole = false
  let rest = ''

  const decode = (text: string): Buffer => {
    const end = text.indexOf('"')
    isWhole = end !== -1
    const whole = rest + (isWhole ? text.slice(0, end) : text)
    const lastEscape = isWhole ? -1 : whole.lastIndexOf('\\')
    const cut = lastEscape !== -1 && lastEscape > whole.length - longestEscape ? lastEscape : whole.length
    const clean = whole.slice(0, cut).replace(escapedPadding, '=').replaceAll('\\', '')
    const usable = isWhole ? clean.length : clean.length - (clean.length % 4)
    rest = clean.slice(usable) + whole.slice(cut)
    return Buffer.from(clean.slice(0, usable), 'base64')
  }

  return {
    get isFound() {
      return isFound
    },
    get isWhole() {
      return isWhole
    },
    take(chunk) {
      if (isWhole) return Buffer.alloc(0)
      const text = chunk.toString('latin1')
      if (isFound) return decode(text)
      const seen = rest + text
      const found = opening.exec(seen)
      if (found === null) {
        rest = seen.slice(-longestOpening)
        return Buffer.alloc(0)
      }
      isFound = true
      rest = ''
      return decode(seen.slice(found.index + found[0].length))
    },
  }
}
