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
    ended: (domain: string) => `${domain} 的域名验证已失效`,
    missingContent:
      '组织「{{value}}」的域名验证 TXT 记录 {{value}} 自 {{value}}（UTC）起缺失。请恢复该记录，否则验证最早将于 {{value}}（UTC）失效：届时用户不能再凭此域名加入组织，成员也不再需要使用组织的身份提供方登录。',
    endedContent:
      '组织「{{value}}」的域名验证 TXT 记录 {{value}} 自 {{value}}（UTC）起一直缺失。域名验证已失效，强制登录也已停止。恢复记录后，请在组织设置中重新验证。',
    settings: '打开组织设置',
  },
  en: {
    missing: (domain: string) => `DNS record missing for ${domain}`,
    ended: (domain: string) => `Domain verification expired for ${domain}`,
    missingContent:
      'The domain of organisation “{{value}}” is verified by the TXT record {{value}}, which has been missing since {{value}} (UTC). Restore it, or verification expires on {{value}} (UTC) at the earliest. After that, users can’t join by domain, and members are no longer required to use the organisation’s identity provider.',
    endedContent:
      'The domain of organisation “{{value}}” was verified by the TXT record {{value}}, which has been missing since {{value}} (UTC). Verification has expired, and members are no longer required to use the organisation’s identity provider. Restore the record, then verify the domain again in the organisation settings.',
    settings: 'Open organisation settings',
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
