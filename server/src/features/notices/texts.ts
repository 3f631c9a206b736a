/** A message to one person, before it has a way to go (server reference §11.1). */
export interface Notice {
  /** Becomes the `type` of a webhook; limits count per kind. */
  readonly kind: string
  readonly title: string
  /** Plain text; each `{{value}}` stands for one of `values`, in order. */
  readonly content: string
  readonly values: readonly string[]
  readonly link?: { readonly label: string; readonly url: string } | undefined
}

/** `amount` is the remaining quota as people read it; where the site has no address of its own there is no link. */
export const quotaWarning = (amount: string, serverAddress: string): Notice => {
  const title = '您的额度即将用尽'
  return {
    kind: 'quota_exceed',
    title,
    content: '{{value}}，当前剩余额度为 {{value}}，为了不影响您的使用，请及时充值。',
    values: [title, amount],
    ...(serverAddress === '' ? {} : { link: { label: '充值链接', url: `${serverAddress.replace(/\/+$/, '')}/topup` } }),
  }
}

interface NamedChannel {
  readonly id: number
  readonly name: string
}

export const channelDisabled = ({ id, name }: NamedChannel, reason: string): Notice => {
  const title = `通道「${name}」（#${id}）已被禁用`
  return { kind: `channel_update_${id}_3`, title, content: `${title}，原因：${reason}`, values: [] }
}

export const channelEnabled = ({ id, name }: NamedChannel): Notice => {
  const title = `通道「${name}」（#${id}）已被启用`
  return { kind: `channel_update_${id}_1`, title, content: title, values: [] }
}

export const channelKeyDisabled = ({ id, name }: NamedChannel, hint: string, reason: string): Notice => {
  const title = `通道「${name}」（#${id}）的密钥 ${hint} 已被禁用`
  return { kind: `channel_update_${id}_key`, title, content: `${title}，原因：${reason}`, values: [] }
}

export const channelsTested: Notice = {
  kind: 'channel_test',
  title: '通道测试完成',
  content: '所有通道测试已完成',
  values: [],
}

export const testKind = 'test'

/** Has a value, so that a receiver can be tried with what a real notice looks like. */
export const testNotice = (amount: string): Notice => ({
  kind: testKind,
  title: '测试通知',
  content: '这是一条测试通知，您的通知设置可以正常使用。当前剩余额度为 {{value}}。',
  values: [amount],
})

/**
 * The body of a webhook (server reference §11.4). Placeholders stay, for receivers that fill them in themselves; a link is
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
