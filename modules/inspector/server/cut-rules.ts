import { cutMembers, type MemberPath } from '#server/lib/json/cut-members.ts'
import { withoutKey, withoutKeyLike } from '#server/relay/upstream/redact.ts'

/** Rules that remove secrets from headers, addresses and bodies before these are stored. */
export interface CutRules {
  headers(headers: Iterable<readonly [string, string]>): [string, string][]
  url(url: string): string
  /** `secret` is cut out wherever it stands; empty for none. */
  body(text: string, secret: string): string
}

const cutMark = '[cut]'
const secretName = /auth|key|token|secret|cookie|signature|credential|password|session|^x-amz-|organization|project/i
/** Headers that only sound like it. */
const openName = /^(x-ratelimit-.*|anthropic-ratelimit-.*|.*max-tokens.*)$/i
/** Members that hold secrets in any request or answer, e.g. of MCP servers. */
const secretMembers: ReadonlySet<string> = new Set([
  ...['authorization', 'authorization_token', 'api_key', 'apikey', 'access_token', 'refresh_token', 'password'],
  ...['client_secret', 'secret', 'cookie', 'private_key', 'x-api-key', 'proxy-authorization', 'set-cookie'],
])
const longestValue = 2_000

const matches = (pattern: MemberPath, path: MemberPath): boolean =>
  pattern.length === path.length && pattern.every((name, index) => name === '*' || name === path[index])

/** One line of a body at a time where it is a stream of events or of JSON. */
const eachJson = (text: string, cut: (json: string) => string): string =>
  /^\s*[[{]/.test(text) && !/^\s*\{[^\n]*\}\s*\n\s*\{/.test(text)
    ? cut(text)
    : text.replace(
        /^(data:\s*)?([[{].*)$/gm,
        (_, mark: string | undefined, json: string) => `${mark ?? ''}${cut(json)}`,
      )

/** The rules of the installation: `fields` are names of headers or members, or paths with points. */
export const cutRulesOf = (fields: readonly string[]): CutRules => {
  const names = new Set(fields.filter((field) => !field.includes('.')).map((field) => field.toLowerCase()))
  const paths = fields.filter((field) => field.includes('.')).map((field) => field.replace(/^\$\./, '').split('.'))
  const isCut = (path: MemberPath): boolean => {
    const name = path.at(-1)?.toLowerCase() ?? ''
    return secretMembers.has(name) || names.has(name) || paths.some((pattern) => matches(pattern, path))
  }
  const isSecret = (name: string): boolean =>
    (secretName.test(name) && !openName.test(name)) || names.has(name.toLowerCase())
  return {
    headers: (headers) =>
      [...headers].map(([name, value]) => [
        name,
        isSecret(name) ? cutMark : withoutKeyLike(value.slice(0, longestValue)),
      ]),
    url: (url) =>
      withoutKeyLike(
        url
          .replace(/\/\/[^/@]*@/, '//')
          .replace(/([?&])([^=&]+)=([^&]*)/g, (whole, mark: string, name: string) =>
            isSecret(name) || name === 'sig' ? `${mark}${name}=${cutMark}` : whole,
          ),
      ),
    body: (text, secret) =>
      withoutKeyLike(eachJson(withoutKey(Buffer.from(text), secret).toString(), (json) => cutMembers(json, isCut))),
  }
}
