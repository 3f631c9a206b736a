import { Button } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { type AuditEntry, calls } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { mayWrite } from '../../lib/api/staff.ts'
import { useAction } from '../../lib/query.ts'
import { Icon } from '../display/icon.tsx'
import { ConfirmAction } from '../form/confirm-action.tsx'
import { type Inverse, inverseOf } from './inverse.ts'
import { changeLinesOf, sentenceOf, useAuditWords } from './sentence.ts'

/** Puts the values back; throws where one of them is not what the entry left. */
const putBack = async (inverse: Inverse, changedSince: string): Promise<void> => {
  if (inverse.kind === 'option') {
    const { key, value, was } = inverse
    await call(calls.putOptions, { body: { changes: [{ key, value, was }] } })
    return
  }
  const now: Readonly<Record<string, unknown>> = await call(calls.getChannel, { params: { id: inverse.id } })
  const isSame = ([field, value]: [string, unknown]): boolean =>
    JSON.stringify(ownMember(now, field)) === JSON.stringify(value)
  if (!Object.entries(inverse.after).every(isSame)) throw new Error(changedSince)
  await call(calls.updateChannel, { body: { ...inverse.before, id: inverse.id } })
}

/** Takes a change back, where it has an inverse that the reader may make. */
export const UndoChange = ({ entry }: { entry: AuditEntry }) => {
  const words = useAuditWords()
  const { saySentence } = words
  const user = useSession()
  const [asking, setAsking] = useState(false)
  const undo = useAction((inverse: Inverse) => putBack(inverse, saySentence('changedSince')), {
    done: saySentence('undone'),
    refresh: [calls.listAudit],
  })
  const inverse = inverseOf(entry)
  if (inverse === undefined || !mayWrite(user, inverse.kind === 'option' ? 'settings' : 'channels')) return null
  return (
    <>
      <Button mt={12} variant="default" leftSection={<Icon name="refresh" size={14} />} onClick={() => setAsking(true)}>
        {saySentence('undo')}
      </Button>
      <ConfirmAction
        opened={asking}
        title={`${saySentence('undo')}: ${sentenceOf(entry, words)}`}
        effect={`${saySentence('undoText')} ${changeLinesOf(entry, words).join(' · ')}`}
        confirmLabel={saySentence('undo')}
        onConfirm={() => undo.submit(inverse)}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
