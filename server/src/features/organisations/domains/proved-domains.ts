import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/schema.ts'
import { provedByDns } from './domain-proof.ts'

/** Providers of mailboxes for everybody: having one there proves nothing about the others. */
const publicMailDomains: ReadonlySet<string> = new Set(
  `
    gmail.com googlemail.com outlook.com hotmail.com live.com msn.com passport.com yahoo.com ymail.com
    rocketmail.com aol.com aim.com icloud.com me.com mac.com proton.me pm.me protonmail.com protonmail.ch
    tutanota.com tuta.com tuta.io fastmail.com fastmail.fm hey.com zoho.com zohomail.com gmx.com gmx.net gmx.de
    gmx.at gmx.ch web.de freenet.de t-online.de mail.com email.com mail.ru bk.ru inbox.ru list.ru internet.ru
    yandex.ru yandex.com ya.ru rambler.ru qq.com foxmail.com vip.qq.com 163.com 126.com yeah.net vip.163.com
    139.com 189.cn wo.cn sina.com sina.cn sohu.com tom.com 21cn.com aliyun.com 263.net yahoo.co.jp docomo.ne.jp
    ezweb.ne.jp softbank.ne.jp yahoo.co.uk hotmail.co.uk live.co.uk btinternet.com yahoo.fr hotmail.fr live.fr
    orange.fr wanadoo.fr free.fr laposte.net sfr.fr yahoo.de hotmail.de hotmail.it libero.it virgilio.it yahoo.it
    yahoo.es hotmail.es uol.com.br bol.com.br terra.com.br yahoo.com.br yahoo.com.tw yahoo.com.hk yahoo.com.vn
    yahoo.co.in rediffmail.com naver.com daum.net hanmail.net nate.com kakao.com seznam.cz wp.pl o2.pl comcast.net
    verizon.net att.net sbcglobal.net cox.net mailinator.com yopmail.com duck.com
  `
    .trim()
    .split(/\s+/),
)

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** The domain of each organisation that its DNS proved, where it is still its domain and not one of mailboxes for everybody. */
export const readProvedDomains = async (on: Kysely<Tables>): Promise<Map<number, string>> => {
  const rows = await on
    .selectFrom('organisations')
    .select(['id', 'domain'])
    .where('domain', '!=', '')
    .whereRef('domain', '=', 'domain_proof')
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.filter(({ domain }) => !publicMailDomains.has(domain)).map(({ id, domain }) => [id, domain]))
}

/**
 * The domain in which an organisation may link and make accounts by their address: its e-mail domain, where it was proved by its DNS
 * or one of its owners has proved to read an address there, and it is no provider of mailboxes for everybody. Empty while there is none.
 */
export const provedDomain = async (
  on: Kysely<Tables>,
  { organisationId, domain }: { readonly organisationId: number; readonly domain: string },
): Promise<string> => {
  if (domain === '' || publicMailDomains.has(domain)) return ''
  if ((await provedByDns(on, organisationId)) === domain) return domain
  const proofs = await on
    .selectFrom('memberships as m')
    .innerJoin('identities as i', 'i.user_id', 'm.user_id')
    .select('i.subject')
    .where('m.organisation_id', '=', organisationId)
    .where('m.team_id', '=', 0)
    .where('m.role', '=', 'owner')
    .where('i.provider', '=', 'email')
    .execute()
  return proofs.some(({ subject }) => domainOf(subject) === domain) ? domain : ''
}
