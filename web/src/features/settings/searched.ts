import { help } from 'virtual:options/help'
import { ownMember } from '@tollgate/contract/own-member'
import { type Key, optionOf, sectionOf } from './registry.ts'

export { allSections, keysOf, optionOf, sectionOf } from './registry.ts'

/** Words that people look for by section, which its options do not say. */
const synonyms: Readonly<Record<string, string>> = {
  payment: 'stripe paypal alipay wechat pay epay checkout billing currency top up 支付宝 微信支付',
  mail: 'smtp email sendgrid mailgun ses notification 邮箱',
  'sign-in': 'signup sign up register login password account 注册 登录',
  quota: 'balance credit free trial gift referral 赠送 余额',
  monitoring: 'alerts alarm health disable failover',
  logging: 'retention privacy gdpr cleanup storage days 清理 保留',
  server: 'url domain host base address 域名',
  personalization: 'brand logo title theme footer 品牌',
  prices: 'ratio cost margin discount markup rate 倍率',
  'rate-limit': 'throttle rpm tpm 429 qps',
  'sensitive-words': 'moderation block filter 过滤',
  turnstile: 'captcha bot cloudflare 验证码',
  oidc: 'sso keycloak okta azure ad entra google',
}

/** The searched text of an option: names, help and keys in both languages, and further words of its section. */
export const searchText = (key: Key): string =>
  [{ zh: key, en: '' }, optionOf(key).label, ownMember(help, key), sectionOf(key)?.title]
    .map((words) => (words ? `${words.zh} ${words.en}` : ''))
    .concat(ownMember(synonyms, sectionOf(key)?.name ?? '') ?? '')
    .join(' ')
    .toLowerCase()
