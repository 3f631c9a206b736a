import { packageOnUse } from '../../../../lib/on-first-use.ts'
import { isWeaklySigned, isWithinLimits } from './limits.ts'
import { contentEncryption, keyEncryption } from './metadata.ts'

/** The reader of XML that the library itself uses, so that both see the same elements. */
const reader = packageOnUse<typeof import('@node-saml/node-saml/lib/xml.js')>('@node-saml/node-saml/lib/xml.js')

const allowed: ReadonlySet<string> = new Set([...contentEncryption, ...keyEncryption])

export const isEncrypted = (xml: string): boolean => /<(?:[\w.-]+:)?EncryptedData[\s>/]/.test(xml)

/** Why an encrypted message is refused. */
type Refusal =
  | 'encrypted more than once'
  | 'encrypted in another way'
  | 'signed with SHA-1, MD5 or HMAC'
  | 'too large, or with forbidden parts'

/**
 * Looks into a message with one encrypted element before the library does: the limits and the rules of algorithms count inside
 * as well. Answers why it is refused, or undefined. Throws what the decryption throws; the text of that is for the log alone.
 */
export const refusalOfEncrypted = async (xml: string, key: string): Promise<Refusal | undefined> => {
  const { parseDomFromString, xpath, decryptXml } = reader()
  const document = await parseDomFromString(xml)
  const [encrypted, another] = xpath.selectElements(document, "//*[local-name()='EncryptedData']")
  if (encrypted === undefined || another !== undefined) return 'encrypted more than once'
  const methods = xpath
    .selectElements(document, "//*[local-name()='EncryptionMethod']")
    .map((element) => element.getAttribute('Algorithm'))
  if (!methods.every((method) => method !== null && allowed.has(method))) return 'encrypted in another way'
  // The digest of the padding of RSA may be SHA-1: nothing is signed with it.
  const { parentNode } = encrypted
  if (isWeaklySigned(xml.replace(/<((?:[\w.-]+:)?EncryptedData)[\s>/].*<\/\1\s*>/s, '')))
    return 'signed with SHA-1, MD5 or HMAC'
  const inside = await decryptXml(String(parentNode ?? encrypted), key)
  if (!isWithinLimits(inside)) return 'too large, or with forbidden parts'
  return isWeaklySigned(inside) ? 'signed with SHA-1, MD5 or HMAC' : undefined
}
