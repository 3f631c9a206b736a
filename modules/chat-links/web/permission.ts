import { isObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { readJson, writeJson } from '#web/lib/preferences/storage.ts'

/** Which key a person lets which site have. */
type Permissions = Readonly<Record<string, number>>

const place = (userId: number, site: string): string => `${userId} ${site}`

const readAll = (): Permissions => {
  const permissions = readJson('chat-permissions')
  return isObject(permissions) ? (permissions as Permissions) : {}
}

/** The origin of a web page; the scheme of a link that opens a client. */
export const siteOf = (link: string): { site: string; host: string; isPage: boolean } => {
  const isPage = /^https?:\/\//i.test(link)
  if (!isPage) return { site: link.split(':')[0] ?? '', host: link.split(':')[0] ?? '', isPage }
  // Placeholders may be anywhere; the rest of the address tells the site.
  const bare = link.replaceAll(/[{}]/g, '')
  if (!URL.canParse(bare)) return { site: link, host: link, isPage: false }
  const { origin, host } = new URL(bare)
  return { site: origin, host, isPage }
}

/** The id of the key that this site may have; undefined when the person was never asked. */
export const permittedKey = (userId: number, site: string): number | undefined =>
  ownMember(readAll(), place(userId, site))

export const permitKey = (userId: number, site: string, tokenId: number): void =>
  writeJson('chat-permissions', { ...readAll(), [place(userId, site)]: tokenId })

export const forgetPermission = (userId: number, site: string): void => {
  const { [place(userId, site)]: _, ...rest } = readAll()
  writeJson('chat-permissions', rest)
}
