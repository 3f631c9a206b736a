import { moduleSections } from '../../../modules/lists/options.ts'
import { chats } from './chats.ts'
import { dashboard } from './dashboard.ts'
import { drawing } from './drawing.ts'
import { general } from './general.ts'
import { groups } from './groups.ts'
import { keptFiles } from './kept-files.ts'
import type { BilingualText, Option, Section, Tab } from './kinds.ts'
import { legacy } from './legacy.ts'
import { logging } from './logging.ts'
import { mail } from './mail.ts'
import { claude, gemini, globalModels } from './models.ts'
import { monitoring } from './monitoring.ts'
import { inOrder } from './order/section-order.ts'
import { payment } from './payment.ts'
import { priceSync } from './price-sync.ts'
import { prices } from './prices.ts'
import { quota } from './quota.ts'
import { rateLimit } from './rate-limit.ts'
import { sensitiveWords } from './sensitive-words.ts'
import { emailDomains, signIn } from './sign-in.ts'
import { notice, personalization, server, worker } from './site.ts'
import { discord, github, linuxDo, oidc, telegram, turnstile, weChat } from './third-party.ts'

export const tabs: readonly { readonly tab: Tab; readonly title: BilingualText }[] = [
  { tab: 'operation', title: { zh: '运营设置', en: 'Operation' } },
  { tab: 'prices', title: { zh: '价格设置', en: 'Prices' } },
  { tab: 'ratelimit', title: { zh: '速率限制设置', en: 'Rate limits' } },
  { tab: 'models', title: { zh: '模型相关设置', en: 'Models' } },
  { tab: 'system', title: { zh: '站点与登录', en: 'Site and sign-in' } },
  { tab: 'other', title: { zh: '其他设置', en: 'Other' } },
]

const kernelSections = [
  general,
  drawing,
  sensitiveWords,
  logging,
  dashboard,
  monitoring,
  quota,
  chats,
  groups,
  prices,
  priceSync,
  rateLimit,
  globalModels,
  gemini,
  claude,
  keptFiles,
  server,
  worker,
  payment,
  signIn,
  emailDomains,
  mail,
  oidc,
  github,
  discord,
  linuxDo,
  weChat,
  telegram,
  turnstile,
  notice,
  personalization,
  legacy,
] as const satisfies readonly Section[]

/** The settings screen draws the sections in this order; options that are `hidden` are not drawn. */
export const sections = inOrder<(typeof kernelSections)[number], (typeof moduleSections)[number]>(
  kernelSections,
  moduleSections,
)

type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

/** Every option by key. */
export const options = Object.assign({}, ...sections.map((entry) => entry.options)) as UnionToIntersection<
  (typeof sections)[number]['options']
>

export type OptionKey = keyof typeof options
export type OptionValue<K extends OptionKey> = (typeof options)[K] extends Option<infer T> ? T : never

export const optionKeys = Object.keys(options) as readonly OptionKey[]

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(options, key)
