import { addressOf, callHeaders, type LooseParts } from '../api/call-address.ts'
import { calls, role } from '../api/contract.ts'
import { storedUser } from '../api/session.ts'
import { applyStatus, statusInPage } from '../status.ts'
import { momentForPage } from '../time/time-anchor.ts'
import { withoutBase } from '../url/page-paths.ts'
import { parseSearch } from '../url/url-state.ts'
import type { FirstRead, ReadAhead } from './read-ahead.ts'

/** Users who may open a page, as its entry has it (components/page.ts). */
type Access = 'everyone' | 'signed_in' | 'admin' | 'root'

const leastRole: Readonly<Record<Access, number>> = {
  everyone: 0,
  signed_in: role.user,
  admin: role.admin,
  root: role.root,
}

/** The parameters of `/user/$id` in `/user/7`. */
const paramsIn = (pattern: string, pathname: string): Record<string, string> => {
  const parts = pathname.split('/')
  return Object.fromEntries(
    pattern
      .split('/')
      .flatMap((part, index) =>
        part.startsWith('$') && part.length > 1 ? [[part.slice(1), decodeURIComponent(parts[index] ?? '')]] : [],
      ),
  )
}

/**
 * Asks for what a screen reads first while the browser is still reading the page: the build puts this and the screen's
 * `firstRead` into a script within the page (web/build/early-scripts.ts), and the console takes the answers once it is there.
 */
export const beginEarlyReads = (pattern: string, access: Access, firstRead: FirstRead): void => {
  const user = storedUser()
  if ((user?.role ?? 0) < leastRole[access]) return
  applyStatus(statusInPage(document))
  const answers = new Map<string, Promise<Response>>()
  const begin = (path: string, parts: LooseParts): void => {
    const address = addressOf(path, parts)
    const answer = fetch(address, { credentials: 'same-origin', headers: callHeaders() })
    // Whoever takes it reports the failure.
    answer.catch(() => undefined)
    answers.set(address, answer)
  }
  globalThis.tollgateEarlyReads = { moment: momentForPage(), userId: user?.id ?? -1, answers }
  const read: ReadAhead = (endpoint, ...[parts]) => begin(endpoint.path, parts ?? {})
  firstRead(read, parseSearch(location.search), paramsIn(pattern, withoutBase(location.pathname)))
  if (user) begin(calls.whoAmI.path, {})
}
