import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '../../lib/api/contract.ts'
import { nounWord, type SayAudit } from './messages.ts'

/** The actor: a user, the server itself, or an anonymous caller. */
export const actorName = ({ actor_id, actor_name }: AuditEntry, say: SayAudit): string => {
  if (actor_id > 0) return actor_name
  return actor_name === '' ? say('unknownActor') : say('system')
}

/** `Channel Azure`, `Setting RetryTimes`; the number where a thing has no name, without a number when the entry concerns all objects of a kind. */
export const objectName = ({ object, object_id, object_name }: AuditEntry, say: SayAudit): string => {
  const noun = nounWord(object, say)
  if (object_name !== undefined) return `${noun} ${object_name}`
  if (object_id === '' || object_id === '0') return noun
  return /^\d+$/.test(object_id) ? `${noun} #${object_id}` : `${noun} ${object_id}`
}

/** The place where the object is edited, where there is one. */
export const ObjectLink = ({ entry, say }: { entry: AuditEntry; say: SayAudit }) => {
  const name = objectName(entry, say)
  const id = entry.object_id
  if (!/^[1-9]\d*$/.test(id)) return name
  if (entry.object === 'channel' && entry.action !== 'channel.delete')
    return (
      <Link to="/channel/edit/$id" params={{ id }} aria-label={say('goTo', { name })}>
        {name}
      </Link>
    )
  if (entry.object === 'user' || entry.object === 'session')
    return (
      <Link to="/user/$id" params={{ id }} aria-label={say('goTo', { name })}>
        {name}
      </Link>
    )
  return name
}
