import { hash } from 'node:crypto'
import type { Language } from '@tollgate/contract'

/** A message to one person, before it has a way to go. */
export interface Notice {
  /** Becomes the `type` of a webhook; limits count per kind. */
  readonly kind: string
  readonly title: string
  /** Plain text; each `{{value}}` stands for one of `values`, in order. */
  readonly content: string
  readonly values: readonly string[]
  readonly link?: { readonly label: string; readonly url: string; readonly otherwise: string } | undefined
}

/** The text of a notice, in the recipient's language. */
export type Telling = (language: Language) => Notice

export const noButton = (language: Language): string =>
  language === 'zh'
    ? '如果按钮无法点击，请复制下方链接到浏览器中打开：'
    : 'If the button does not work, open this address:'

const topUpLink = (language: Language, serverAddress: string): Pick<Notice, 'link'> =>
  serverAddress === ''
    ? {}
    : {
        link: {
          label: language === 'zh' ? '充值链接' : 'Top up here',
          url: `${serverAddress.replace(/\/+$/, '')}/topup`,
          otherwise: noButton(language),
        },
      }

/** `amount` is the remaining quota as people read it; where the site has no address of its own there is no link. */
export const quotaWarning =
  (amount: string, serverAddress: string): Telling =>
  (language) => {
    const title = language === 'zh' ? '您的额度即将用尽' : 'Your quota is almost used up'
    const content =
      language === 'zh'
        ? '{{value}}，当前剩余额度为 {{value}}，为了不影响您的使用，请及时充值。'
        : '{{value}}: {{value}} are left. Please top up in time, so that your calls go on.'
    return { kind: 'quota_exceed', title, content, values: [title, amount], ...topUpLink(language, serverAddress) }
  }

interface NamedChannel {
  readonly id: number
  readonly name: string
}

const because = (language: Language, title: string, reason: string): string =>
  language === 'zh' ? `${title}，原因：${reason}` : `${title}: ${reason}`

export const channelDisabled =
  ({ id, name }: NamedChannel, reason: string): Telling =>
  (language) => {
    const title = language === 'zh' ? `渠道「${name}」（#${id}）已被禁用` : `Channel “${name}” (#${id}) was disabled`
    return { kind: `channel_update_${id}_3`, title, content: because(language, title, reason), values: [] }
  }

/** `quota` and `cost` are amounts as people read them. Kinds are short, and names of models may be long. */
export const soldBelowCost =
  ({ id, name }: NamedChannel, model: string, { quota, cost }: { quota: string; cost: string }): Telling =>
  (language) => {
    const title =
      language === 'zh'
        ? `渠道「${name}」（#${id}）的 ${model} 低于成本`
        : `${model} of channel “${name}” (#${id}) is sold below its cost`
    const content =
      language === 'zh'
        ? `一次调用收费 ${quota}，上游成本 ${cost}。请检查倍率、价格或渠道的成本设置。`
        : `A call was charged ${quota} and costs ${cost}. Check the prices, or the costs in the channel's settings.`
    return { kind: `below_cost_${id}_${hash('sha256', model).slice(0, 16)}`, title, content, values: [] }
  }

/** One kind for all of them: limits count per kind. */
export const recordRefused =
  (requestId: string, reason: string): Telling =>
  (language) => {
    const title = language === 'zh' ? '数据库拒绝了一条记录' : 'The database refused a record'
    const content =
      language === 'zh'
        ? `请求 ${requestId} 的文本无法写入数据库，原因：${reason}。请在使用日志页查看并重试。`
        : `The texts of request ${requestId} could not be written: ${reason}. See the usage log, where it can be retried.`
    return { kind: 'record_refused', title, content, values: [] }
  }

export const channelEnabled =
  ({ id, name }: NamedChannel): Telling =>
  (language) => {
    const title =
      language === 'zh' ? `渠道「${name}」（#${id}）已被启用` : `Channel “${name}” (#${id}) was enabled again`
    return { kind: `channel_update_${id}_1`, title, content: title, values: [] }
  }

export const channelKeyDisabled =
  ({ id, name }: NamedChannel, hint: string, reason: string): Telling =>
  (language) => {
    const title =
      language === 'zh'
        ? `渠道「${name}」（#${id}）的密钥 ${hint} 已被禁用`
        : `Key ${hint} of channel “${name}” (#${id}) was disabled`
    return { kind: `channel_update_${id}_key`, title, content: because(language, title, reason), values: [] }
  }

export const channelsTested: Telling = (language) => ({
  kind: 'channel_test',
  title: language === 'zh' ? '渠道测试完成' : 'Channels tested',
  content: language === 'zh' ? '所有渠道测试已完成' : 'The test of all channels is finished',
  values: [],
})

export const testKind = 'test'

/** Has a value, so that a receiver can be tried with what a real notice looks like. */
export const testNotice =
  (amount: string): Telling =>
  (language) => ({
    kind: testKind,
    title: language === 'zh' ? '测试通知' : 'Test notice',
    content:
      language === 'zh'
        ? '这是一条测试通知，您的通知设置可以正常使用。当前剩余额度为 {{value}}。'
        : 'This is a test notice: your notification settings work. {{value}} are left.',
    values: [amount],
  })

/**
 * The body of a webhook. Placeholders stay, for receivers that fill them in themselves; a link is
 * markup with two of them.
 */
export const webhookBody = ({ kind, title, content, values, link }: Notice, timestamp: number): string => {
  const all = link === undefined ? values : [...values, link.url, link.url]
  return JSON.stringify({
    type: kind,
    title,
    content: link === undefined ? content : `${content}<br/>${link.label}：<a href='{{value}}'>{{value}}</a>`,
    ...(all.length > 0 ? { values: all } : {}),
    timestamp,
  })
}

/** The content with its values in place. */
export const filledContent = ({ content, values }: Notice): string => {
  const rest = [...values]
  return content.replace(/\{\{value\}\}/g, () => rest.shift() ?? '')
}
