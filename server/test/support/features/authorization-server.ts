import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asyncListener } from '../lib/async-listener.ts'

export const client = { id: 'our client', secret: 'our/secret+1' }

interface Grant {
  readonly redirectUri: string | undefined
  readonly challenge: string | undefined
  readonly nonce: string | undefined
}

type Person = Readonly<Record<string, unknown>>

interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { privateKey: foreignKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

const credentials = (request: IncomingMessage, form: URLSearchParams): { id: string; secret: string; way: string } => {
  const [, encoded] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
  if (encoded === undefined)
    return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '', way: 'post' }
  const pair = Buffer.from(encoded, 'base64').toString().split(':')
  const [id = '', secret = ''] = pair.map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
  return { id, secret, way: 'basic' }
}

/** Somebody else's authorization server: GitHub, Linux DO and OpenID Connect at once, with the checks that they make. */
export const startAuthorizationServer = async () => {
  const grants = new Map<string, Grant>()
  const state = {
    person: { id: 583231, login: 'octocat', name: 'The Octocat', sub: 'sub-1' } as Person,
    emails: [] as unknown,
    /** Paths that fail, and how: a status, or undefined for a connection that is cut. */
    failures: new Map<string, number | undefined>(),
    /** Spoils the id token. */
    spoil: undefined as 'signature' | 'nonce' | 'issuer' | 'audience' | 'missing' | 'future' | undefined,
    tokenWays: ['client_secret_basic', 'client_secret_post'] as string[] | undefined,
    /** How clients proved themselves, in order. */
    ways: [] as string[],
    paths: [] as string[],
    weChatCodes: new Map<string, string>(),
  }
  let codes = 0

  const idToken = (nonce: string | undefined): string | undefined => {
    if (state.spoil === 'missing') return undefined
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: state.spoil === 'issuer' ? 'https://elsewhere.example' : origin,
      aud: state.spoil === 'audience' ? 'another client' : client.id,
      sub: state.person.sub,
      iat: state.spoil === 'future' ? now + 3600 : now,
      exp: now + 7200,
      nonce: state.spoil === 'nonce' ? 'of another sign-in' : nonce,
    }
    const text = `${base64({ alg: 'RS256', kid: 'k1', typ: 'JWT' })}.${base64(claims)}`
    const key = state.spoil === 'signature' ? foreignKey : privateKey
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
  }

  const authorize = (query: URLSearchParams): Reply => {
    const redirectUri = query.get('redirect_uri') ?? undefined
    if (query.get('client_id') !== client.id || query.get('response_type') !== 'code') return { status: 400 }
    codes += 1
    const code = `code ${codes}`
    grants.set(code, {
      redirectUri,
      challenge: query.get('code_challenge') ?? undefined,
      nonce: query.get('nonce') ?? undefined,
    })
    const back = new URL(redirectUri ?? 'http://registered.test/')
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    return { status: 302, headers: { location: back.href } }
  }

  const token = async (request: IncomingMessage): Promise<Reply> => {
    const form = await bodyOf(request)
    const { id, secret, way } = credentials(request, form)
    state.ways.push(way)
    if (id !== client.id || secret !== client.secret) return { status: 401, body: { error: 'invalid_client' } }
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const verifier = form.get('code_verifier')
    const proved = verifier === null ? undefined : createHash('sha256').update(verifier).digest('base64url')
    const right = grant?.challenge === proved && grant?.redirectUri === (form.get('redirect_uri') ?? undefined)
    if (grant === undefined || !right) return { status: 400, body: { error: 'invalid_grant' } }
    const body = { access_token: 'their token', token_type: 'bearer', id_token: idToken(grant.nonce) }
    return { status: 200, body: grant.nonce === undefined ? { ...body, id_token: undefined } : body }
  }

  const document = (): Reply => ({
    status: 200,
    body: {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      userinfo_endpoint: `${origin}/userinfo`,
      jwks_uri: `${origin}/jwks`,
      token_endpoint_auth_methods_supported: state.tokenWays,
    },
  })

  const weChat = (request: IncomingMessage, query: URLSearchParams): Reply => {
    if (request.headers.authorization !== 'helper token')
      return { status: 200, body: { success: false, message: 'no' } }
    const id = state.weChatCodes.get(query.get('code') ?? '') ?? ''
    state.weChatCodes.delete(query.get('code') ?? '')
    return { status: 200, body: { success: true, message: '', data: id } }
  }

  const reply = async (request: IncomingMessage, { pathname, searchParams }: URL): Promise<Reply> => {
    if (pathname === '/authorize') return authorize(searchParams)
    if (pathname === '/token') return token(request)
    if (pathname === '/.well-known/openid-configuration') return document()
    if (pathname === '/jwks')
      return {
        status: 200,
        body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }] },
      }
    if (pathname === '/api/wechat/user') return weChat(request, searchParams)
    if (request.headers.authorization !== 'Bearer their token') return { status: 401 }
    if (pathname === '/discord/user') {
      const { id, login, name } = state.person
      const [mail] = state.emails as { email: string; verified: boolean }[]
      return { status: 200, body: { id: String(id), username: login, global_name: name, ...mail } }
    }
    return { status: 200, body: pathname === '/user/emails' ? state.emails : state.person }
  }

  const server = createServer(
    { keepAliveTimeout: 0 },
    asyncListener(async (request, response) => {
      const url = new URL(request.url ?? '', origin)
      state.paths.push(url.pathname)
      if (state.failures.has(url.pathname)) {
        const status = state.failures.get(url.pathname)
        if (status === undefined) request.socket.destroy()
        else response.writeHead(status).end()
        return
      }
      const { status, body, headers } = await reply(request, url)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    state,
    origin,
    /** Consents as a browser does, and returns the query with which the browser is sent back. */
    async agree(address: string): Promise<{ path: string; query: URLSearchParams }> {
      const answer = await fetch(address, { redirect: 'manual' })
      const back = new URL(answer.headers.get('location') ?? 'http://nowhere.test/refused')
      return { path: back.pathname, query: back.searchParams }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>
