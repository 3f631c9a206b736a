/** A message to one person, before it has a way to go (server reference §11.1). */
export interface Notice {
  /** Becomes the `type` of a webhook; limits count per kind. */
  readonly kind: string
  readonly title: string
  /** Each `{{value}}` stands for one of `values`, in order. */
  readonly content: string
  readonly values: readonly string[]
  /** What `content` is written in; plain text is escaped before it goes into a mail. */
  readonly form: 'html' | 'plain'
}

export const quotaWarningKind = 'quota_exceed'

/** `amount` is the remaining quota as people read it; without an address of the site there is no link. */
export const quotaWarning = (amount: string, serverAddress: string): Notice => {
  const title = '您的额度即将用尽'
  const content = '{{value}}，当前剩余额度为 {{value}}，为了不影响您的使用，请及时充值。'
  const common = { kind: quotaWarningKind, title, form: 'html' } as const
  if (serverAddress === '') return { ...common, content, values: [title, amount] }
  const link = `${serverAddress.replace(/\/+$/, '')}/topup`
  return {
    ...common,
    content: `${content}<br/>充值链接：<a href='{{value}}'>{{value}}</a>`,
    values: [title, amount, link, link],
  }
}

interface NamedChannel {
  readonly id: number
  readonly name: string
}

export const channelDisabled = ({ id, name }: NamedChannel, reason: string): Notice => {
  const title = `通道「${name}」（#${id}）已被禁用`
  return { kind: `channel_update_${id}_3`, title, content: `${title}，原因：${reason}`, values: [], form: 'plain' }
}

export const channelEnabled = ({ id, name }: NamedChannel): Notice => {
  const title = `通道「${name}」（#${id}）已被启用`
  return { kind: `channel_update_${id}_1`, title, content: title, values: [], form: 'plain' }
}

export const channelsTested: Notice = {
  kind: 'channel_test',
  title: '通道测试完成',
  content: '所有通道测试已完成',
  values: [],
  form: 'plain',
}

export const testKind = 'test'

/** Has a value, so that a receiver can be tried with what a real notice looks like. */
export const testNotice = (amount: string): Notice => ({
  kind: testKind,
  title: '测试通知',
  content: '这是一条测试通知，您的通知设置可以正常使用。当前剩余额度为 {{value}}。',
  values: [amount],
  form: 'plain',
})

/** The body of a webhook: the placeholders stay, for receivers that fill them in themselves (server reference §11.4). */
export const webhookBody = ({ kind, title, content, values }: Notice, timestamp: number): string =>
  JSON.stringify({ type: kind, title, content, ...(values.length > 0 ? { values } : {}), timestamp })

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** The body of a mail: values filled in, nothing in it but what we wrote is markup. */
export const mailHtml = ({ content, values, form }: Notice): string => {
  const rest = [...values]
  return (form === 'html' ? content : escaped(content)).replace(/\{\{value\}\}/g, () => escaped(rest.shift() ?? ''))
}
