import { inflateRawSync } from 'node:zlib'

/** Bounds of a message; those of real providers are a tenth of it. */
const mostBytes = 180_000
const mostElements = 10_000
const mostDepth = 40

/**
 * True if the XML of a message is small and flat enough, and free of parts that real providers do not send and attacks use: document
 * types (entities), comments (they split a name in two for some readers), marked sections and instructions.
 */
export const isWithinLimits = (xml: string): boolean => {
  if (xml.length > mostBytes || xml.includes('<!') || xml.slice(1).includes('<?')) return false
  let depth = 0
  let elements = 0
  for (const [, closing, alone] of xml.matchAll(/<(\/?)[^<>]*?(\/?)>/g)) {
    elements += 1
    if (closing === '/') depth -= 1
    else if (alone !== '/') depth += 1
    if (elements > mostElements || depth > mostDepth) return false
  }
  return true
}

const decoded = (base64: string): Buffer | undefined =>
  /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64) && base64.length <= mostBytes * 1.4
    ? Buffer.from(base64, 'base64')
    : undefined

/** The XML of a message that was posted; undefined for one that is not within the limits. */
export const postedXml = (base64: string): string | undefined => {
  const xml = decoded(base64)?.toString('utf8')
  return xml !== undefined && isWithinLimits(xml) ? xml : undefined
}

/** The XML of a message that came by redirect, packed; undefined for one that is not within the limits. */
export const redirectedXml = (base64: string): string | undefined => {
  const packed = decoded(base64)
  if (packed === undefined) return undefined
  try {
    const xml = inflateRawSync(packed, { maxOutputLength: mostBytes }).toString('utf8')
    return isWithinLimits(xml) ? xml : undefined
  } catch {
    return undefined
  }
}

const weakAlgorithm = /Algorithm\s*=\s*["'][^"']*(?:sha1|md5|hmac)[^"']*["']/i

/** True if a part of it is signed with SHA-1, MD5 or HMAC. */
export const isWeaklySigned = (xml: string): boolean => weakAlgorithm.test(xml)
