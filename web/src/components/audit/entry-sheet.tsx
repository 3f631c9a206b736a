import { ActionIcon } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type AuditEntry, calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { CopyText } from '../copy/copy-text.tsx'
import { Facts, FactsHeading } from '../display/facts.tsx'
import { Hint } from '../display/hint.tsx'
import { Icon } from '../display/icon.tsx'
import { useMomentText } from '../display/time/time-text.tsx'
import { Sheet } from '../sheet.tsx'
import { EmptyState } from '../states.tsx'
import classes from './audit.module.css'
import { Differences } from './differences.tsx'
import { useAuditMessages } from './messages.ts'
import { actorName, ObjectLink } from './names.tsx'
import { sentenceOf, useAuditWords } from './sentence.ts'
import { UndoChange } from './undo.tsx'

const Body = ({ entry }: { entry: AuditEntry }) => {
  const say = useAuditMessages()
  return (
    <>
      <Facts
        facts={[
          {
            label: say('actor'),
            value: (
              <>
                {actorName(entry, say)} {entry.actor_id > 0 && <span className="faint num">#{entry.actor_id}</span>}
              </>
            ),
          },
          { label: say('action'), value: <span className="mono">{entry.action}</span> },
          { label: say('object'), value: <ObjectLink entry={entry} say={say} /> },
          entry.ip !== '' && { label: say('ip'), value: <CopyText text={entry.ip} name={say('ip')} /> },
          { label: say('id'), value: <span className="num">{entry.id}</span> },
        ]}
      />
      <FactsHeading>{say('changes')}</FactsHeading>
      <Differences entry={entry} />
      <UndoChange entry={entry} />
    </>
  )
}

/**
 * The entry that the address names: from the page's rows if it is there, else fetched. Arrow keys move through the
 * page.
 */
export const EntrySheet = ({ rows, wanted }: { rows: readonly AuditEntry[]; wanted: string }) => {
  const words = useAuditWords()
  const { say } = words
  const moment = useMomentText()
  const [, setSearch] = useSearchParams()
  const place = rows.findIndex((row) => String(row.id) === wanted)
  const elsewhere = useEndpoint(calls.listAudit, { query: { id: wanted } }, { enabled: place < 0 })
  const entry = place < 0 ? elsewhere.data?.items[0] : rows[place]
  const go = (to: AuditEntry | undefined) => to && (() => setSearch({ id: String(to.id) }, { replace: true }))
  const onPrevious = place > 0 ? go(rows[place - 1]) : undefined
  const onNext = place >= 0 ? go(rows[place + 1]) : undefined
  useHotkeys([
    ['ArrowLeft', () => onPrevious?.()],
    ['ArrowRight', () => onNext?.()],
  ])
  const arrow = (label: string, icon: 'left' | 'right', onClick: (() => void) | undefined) => (
    <Hint label={label}>
      <ActionIcon aria-label={label} disabled={!onClick} onClick={onClick}>
        <Icon name={icon} />
      </ActionIcon>
    </Hint>
  )
  return (
    <Sheet
      opened
      onClose={() => setSearch({ id: undefined })}
      title={entry ? sentenceOf(entry, words) : say('title')}
      subtitle={entry && <span className="num">{moment(entry.created_at)}</span>}
      loading={place < 0 && elsewhere.isLoading}
      error={place < 0 ? elsewhere.error : null}
      actions={
        <span className={classes.nav}>
          {arrow(say('previous'), 'left', onPrevious)}
          {arrow(say('next'), 'right', onNext)}
        </span>
      }
      width={560}
    >
      {entry ? <Body entry={entry} /> : <EmptyState icon="history" title={say('notFound', { id: wanted })} />}
    </Sheet>
  )
}
