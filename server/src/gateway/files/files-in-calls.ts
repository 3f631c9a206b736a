import { randomBytes } from 'node:crypto'
import { ownMember } from '@tollgate/contract/own-member'
import type { Dialect } from '../../dialects/dialect.ts'
import { type FileRules, type InlineFile, withParts } from '../../dialects/files/file-rules.ts'
import { AppError } from '../../lib/app-error.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import type { RelayCall } from '../../relay/call.ts'
import type { MadeObjects } from '../../relay/direct/ports.ts'
import type { Caller } from '../../relay/ports.ts'
import type { Relay } from '../../relay/relay.ts'
import { isUploading, type KeptFile, type KeptFiles } from '../../relay/stored/kept-files.ts'
import type { Bodies } from '../bodies/bodies.ts'
import type { RequestContext } from '../request-context.ts'
import { base64Of, jsonTextOf } from './inline-bytes.ts'

type NamingBody = Pick<RelayCall, 'raw' | 'body' | 'form' | 'text' | 'survey' | 'plain'>

export interface FilesInCallsParts {
  /** Absent where the gateway stores no files. */
  readonly keptFiles?: Pick<KeptFiles, 'find' | 'open'> | undefined
  readonly madeObjects: Pick<MadeObjects, 'any' | 'find'>
  readonly relay: Pick<Relay, 'assertCanPay'>
  readonly bodies: Pick<Bodies, 'parsed'>
  /** Bytes of a body with its files in place. */
  readonly maxRequestBytes: number
}

/** Puts files of the gateway into calls that name them. */
export interface FilesInCalls {
  /**
   * The body with the bytes of the files that it names; synchronous and the same where it names none. Throws AppError:
   * `kept_file_not_found` for those of others as for unknown ones, `body_too_large`, `bodies_full`.
   */
  inPlace(
    call: { readonly context: RequestContext; readonly caller: Caller; readonly dialect: Dialect | undefined },
    received: NamingBody,
  ): NamingBody | Promise<NamingBody>
}

type KeptFilesRead = Pick<KeptFiles, 'find' | 'open'>

/** How names of our files begin, as ids and in addresses. */
const marks = ['file-', 'files/']

/** Stand-ins for contents that are not printed with the turns: no client can foresee them. */
interface StandIns {
  readonly of: (id: string, form: 'base64' | 'text') => string
  /** The bytes with each stand-in replaced. */
  replaced(raw: Buffer, content: (id: string, form: 'base64' | 'text') => Promise<Buffer[]>): Promise<Buffer[]>
}

const openStandIns = (): StandIns => {
  const begin = `@${randomBytes(16).toString('hex')}`
  const length = `${begin}file-${'0'.repeat(32)}b`.length
  return {
    of: (id, form) => `${begin}${id}${form === 'base64' ? 'b' : 't'}`,
    async replaced(raw, content) {
      const pieces: Buffer[] = []
      let from = 0
      for (let at = raw.indexOf(begin); at >= 0; at = raw.indexOf(begin, from)) {
        pieces.push(raw.subarray(from, at))
        const name = raw.toString('latin1', at + begin.length, at + length)
        pieces.push(...(await content(name.slice(0, -1), name.endsWith('b') ? 'base64' : 'text')))
        from = at + length
      }
      pieces.push(raw.subarray(from))
      return pieces
    },
  }
}

const namedIn = (turns: unknown, rules: FileRules): string[] => {
  const ids: string[] = []
  withParts(turns, (part) => {
    const named = rules.namedBy(part)
    if (named !== undefined) ids.push(named.id)
    return part
  })
  return ids
}

const tooLarge = (most: number): AppError =>
  new AppError('body_too_large', { params: { megabytes: Math.floor((most / 1024 / 1024) * 100) / 100 } })

export const createFilesInCalls = (parts: FilesInCallsParts): FilesInCalls => {
  const { keptFiles, madeObjects, maxRequestBytes } = parts

  /** True for a file that a direct call has made at a channel whose ids are of the same form. */
  const isElsewhere = async (id: string): Promise<boolean> =>
    madeObjects.any && (await madeObjects.find([{ kind: 'files', id }])).size > 0

  const filesOf = async (
    { find }: Pick<KeptFiles, 'find'>,
    ids: readonly string[],
    caller: Caller,
  ): Promise<ReadonlyMap<string, KeptFile>> => {
    const found = new Map<string, KeptFile>()
    for (const id of new Set(ids)) {
      const file = await find(id, caller)
      if (file !== undefined && !isUploading(file)) found.set(id, file)
      else if (!(await isElsewhere(id))) throw new AppError('kept_file_not_found', { params: { id } })
    }
    return found
  }

  const expanded = async (
    { context, caller }: { readonly context: RequestContext; readonly caller: Caller },
    { raw, body }: NamingBody,
    {
      rules,
      ids,
      store,
    }: { readonly rules: FileRules; readonly ids: readonly string[]; readonly store: KeptFilesRead },
  ): Promise<NamingBody> => {
    if (context.route.kind === 'relay') await parts.relay.assertCanPay(caller)
    const files = await filesOf(store, ids, caller)
    const size = ids.reduce((sum, id) => sum + Math.ceil(((files.get(id)?.bytes ?? 0) * 4) / 3), raw.length)
    if (size > maxRequestBytes) throw tooLarge(maxRequestBytes)
    context.bodyShare?.hold(size)
    const standIns = openStandIns()
    const inline = ({ id, filename, contentType }: KeptFile): InlineFile => ({
      filename,
      contentType,
      base64: standIns.of(id, 'base64'),
      text: standIns.of(id, 'text'),
    })
    const turns = withParts(ownMember(body, rules.member), (part) => {
      const named = rules.namedBy(part)
      const file = named && files.get(named.id)
      return named === undefined || file === undefined ? part : named.inline(inline(file))
    })
    const short = editMembers(raw, { [rules.member]: JSON.stringify(turns) })
    const pieces = await standIns.replaced(short, (id, form) =>
      form === 'base64' ? base64Of(store.open({ id })) : jsonTextOf(store.open({ id })),
    )
    const bytes = Buffer.concat(pieces)
    if (bytes.length > maxRequestBytes) throw tooLarge(maxRequestBytes)
    context.bodyShare?.hold(bytes.length)
    return parts.bodies.parsed(context, bytes)
  }

  return {
    inPlace(call, received) {
      const rules = call.dialect?.files
      if (keptFiles === undefined || rules === undefined || received.form !== undefined) return received
      if (!marks.some((mark) => received.raw.includes(mark))) return received
      const ids = namedIn(ownMember(received.body, rules.member), rules)
      return ids.length === 0 ? received : expanded(call, received, { rules, ids, store: keptFiles })
    },
  }
}
