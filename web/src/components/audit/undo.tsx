import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AuditEntry, calls } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { useAction } from '../../lib/query.ts'
import { Icon } from '../display/icon.tsx'
import { ConfirmAction } from '../form/confirm-action.tsx'
import { type Inverse, inverseOf } from './inverse.ts'
import { isStillThere, mayPutBack, putBack } from './put-back.ts'
import { changeLinesOf, sentenceOf, useAuditWords } from './sentence.ts'

interface PutBackProps {
  readonly entry: AuditEntry
  readonly inverse: Inverse
}

const PutBack = ({ entry, inverse }: PutBackProps) => {
  const words = useAuditWords()
  const { saySentence } = words
  const [asking, setAsking] = useState(false)
  const state = ['values of an audit entry', entry.id] as const
  const still = useQuery({ queryKey: state, queryFn: () => isStillThere(inverse), staleTime: 0, gcTime: 0 })
  const undo = useAction(
    async () => {
      const note = { text: `${saySentence('undo')} #${entry.id}`, id: entry.id }
      await putBack(inverse, { changedSince: saySentence('changedSince'), note })
      await still.refetch()
    },
    {
      done: saySentence('undone'),
      refresh: [
        calls.listAudit,
        calls.searchUsers,
        calls.getUserOverview,
        calls.browseTokens,
        calls.listUserTokens,
        calls.listLimits,
      ],
    },
  )
  // The open question stays until it is answered: what was changed meanwhile is then refused with its reason.
  if (still.data !== true && !asking) return null
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
        onConfirm={() => undo.submit()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

/** Takes a change back, where it has an inverse that the reader may make, and while the values are what the entry left. */
export const UndoChange = ({ entry }: { entry: AuditEntry }) => {
  const user = useSession()
  const inverse = inverseOf(entry)
  if (inverse === undefined || !mayPutBack(user, inverse)) return null
  return <PutBack key={entry.id} entry={entry} inverse={inverse} />
}
