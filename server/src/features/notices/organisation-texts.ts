import { type Notice, type NoticeText, noButton } from './texts.ts'

/** The DNS record that proves the domain of an organisation is missing. */
export interface MissingRecord {
  readonly organisation: { readonly id: number; readonly name: string }
  readonly domain: string
  /** Name of the record. */
  readonly record: string
  /** Unix seconds since which it is missing. */
  readonly since: number
  /** Unix seconds when the proof ends at the earliest; undefined where it has ended. */
  readonly endsAt: number | undefined
}

const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

const texts = {
  zh: {
    missing: (domain: string) => `找不到 ${domain} 的 DNS 记录`,
    ended: (domain: string) => `${domain} 的域名证明已失效`,
    missingContent:
      '组织「{{value}}」用于证明域名的 TXT 记录 {{value}} 自 {{value}}（UTC）起找不到。请恢复此记录，否则证明最早将于 {{value}}（UTC）失效：届时不能再凭此域名加入组织，组织的强制登录也会结束。',
    endedContent:
      '组织「{{value}}」用于证明域名的 TXT 记录 {{value}} 自 {{value}}（UTC）起一直找不到。域名证明已失效，组织的强制登录也已结束。记录恢复后，可在组织的设置中重新证明。',
    settings: '打开组织的设置',
  },
  en: {
    missing: (domain: string) => `The DNS record of ${domain} is missing`,
    ended: (domain: string) => `The proof of ${domain} has ended`,
    missingContent:
      'Organisation “{{value}}” proves its domain by the TXT record {{value}}, which is missing since {{value}} (UTC). Restore it, or the proof ends on {{value}} (UTC) at the earliest: then nobody can join by the domain any more, and members are no longer bound to the provider of the organisation.',
    endedContent:
      'Organisation “{{value}}” proved its domain by the TXT record {{value}}, which is missing since {{value}} (UTC). The proof has ended, and with it the enforced sign-in. Once the record is there again, prove the domain anew in the settings of the organisation.',
    settings: 'Open the settings of the organisation',
  },
}

/** To the owners; `site` is the option ServerAddress, without which there is no link. Each organisation is limited by itself. */
export const domainRecordMissing =
  ({ organisation: { id, name }, domain, record, since, endsAt }: MissingRecord, site: string): NoticeText =>
  (language) => {
    const text = texts[language === 'zh' ? 'zh' : 'en']
    const values = [name, record, dayOf(since)]
    const link: Notice['link'] = {
      label: text.settings,
      url: `${site.replace(/\/+$/, '')}/organisation/${id}?tab=settings`,
      otherwise: noButton(language),
    }
    return {
      kind: `domain_record_${id}`,
      title: endsAt === undefined ? text.ended(domain) : text.missing(domain),
      content: endsAt === undefined ? text.endedContent : text.missingContent,
      values: endsAt === undefined ? values : [...values, dayOf(endsAt)],
      ...(site === '' ? {} : { link }),
    }
  }
