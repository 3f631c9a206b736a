import { ownMember } from '@tollgate/contract/own-member'

/** One of Spark's models. */
export interface Version {
  /** Path of its WebSocket. */
  readonly path: string
  /** Its name in requests. */
  readonly domain: string
  /** True if it accepts system messages. */
  readonly system: boolean
}

/** www.xfyun.cn/doc/spark/Web.html and X1ws.html */
const versions: Readonly<Record<string, Version>> = {
  'v1.1': { path: '/v1.1/chat', domain: 'lite', system: false },
  'v2.1': { path: '/v2.1/chat', domain: 'generalv2', system: false },
  'v3.1': { path: '/v3.1/chat', domain: 'generalv3', system: false },
  'v3.5': { path: '/v3.5/chat', domain: 'generalv3.5', system: true },
  'v4.0': { path: '/v4.0/chat', domain: '4.0Ultra', system: true },
  'pro-128k': { path: '/chat/pro-128k', domain: 'pro-128k', system: false },
  'max-32k': { path: '/chat/max-32k', domain: 'max-32k', system: true },
  x1: { path: '/v1/x1', domain: 'spark-x', system: true },
}

const unknown = (name: string): Version => ({
  path: `/${encodeURIComponent(name)}/chat`,
  domain: `general${name}`,
  system: false,
})

/** The version in the model's name (`SparkDesk-v3.5`), else the channel's (`other`), else the oldest. */
export const versionOf = (model: string, other: string): Version => {
  const [, versionInName] = /^SparkDesk-(.+)$/i.exec(model) ?? []
  const name = versionInName ?? (other.trim() || 'v1.1')
  return ownMember(versions, name.toLowerCase()) ?? unknown(name)
}
