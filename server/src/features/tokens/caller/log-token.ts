import { tokenStatus, userStatus } from '@tollgate/contract'
import type { CallerDirectory } from '../../../gateway/ports.ts'
import { AppError } from '../../../lib/app-error.ts'
import { isAllowedFrom } from '../../../lib/security/address-list.ts'

/** A key as a client sends it, in a header or in the address. */
interface SentKey {
  readonly authorization?: string | undefined
  readonly key: string
  readonly ip: string
}

/** The key behind a query for its log. A key that is spent or expired may still ask what became of it; a disabled one not. */
export const logTokenReader =
  (callers: CallerDirectory) =>
  async ({ authorization = '', key, ip }: SentKey): Promise<{ id: number; userId: number }> => {
    const sent = (authorization.replace(/^bearer\s+/i, '').trim() || key.trim()).replace(/^sk-/, '')
    const [bare = ''] = sent.split('-')
    if (bare === '') throw new AppError('token_missing')
    const token = await callers.byKey(bare)
    if (token?.user === undefined) throw new AppError('token_invalid')
    if (token.user.status !== userStatus.enabled) throw new AppError('user_banned')
    if (token.status === tokenStatus.disabled) throw new AppError('token_disabled')
    if (!isAllowedFrom(token, ip)) throw new AppError('ip_not_allowed', { details: { ip } })
    return { id: token.tokenId, userId: token.user.id }
  }
