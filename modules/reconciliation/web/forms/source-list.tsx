import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { Sheet } from '#web/components/sheet.tsx'
import { calls, type ReportSource } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { useReconciliationMessages } from '../messages.ts'
import classes from '../reconciliation.module.css'
import { useReportFormMessages } from './form-messages.ts'

/** Sources of reports, for changing and deleting. */
export const SourceList = ({ sources, onClose }: { sources: readonly ReportSource[]; onClose: () => void }) => {
  const say = useReportFormMessages()
  const sayKind = useReconciliationMessages()
  const [, setSearch] = useSearchParams()
  const [removing, setRemoving] = useState<ReportSource>()
  const remove = useAction(calls.deleteReportSource, {
    done: say('removed'),
    refresh: [calls.listReportSources, calls.listReportImports],
  })
  const edit = (id: string): void => setSearch({ source: id, sources: undefined })
  const footer = (
    <Button leftSection={<Icon name="plus" size={14} />} onClick={() => edit('new')}>
      {say('newSource')}
    </Button>
  )
  return (
    <Sheet opened title={say('sourceList')} onClose={onClose} footer={footer}>
      {sources.map((source) => (
        <div key={source.id} className={classes.source}>
          <div>
            <div className="strong">{source.name}</div>
            <div className="muted">
              {sayKind(`kind_${source.kind}`)}
              {source.key_hint !== '' && <code className="mono"> {source.key_hint}</code>}
            </div>
          </div>
          <Button
            size="compact-sm"
            onClick={() => edit(String(source.id))}
            aria-label={`${say('edit')} ${source.name}`}
          >
            {say('edit')}
          </Button>
          <Button
            size="compact-sm"
            color="bad"
            variant="outline"
            onClick={() => setRemoving(source)}
            aria-label={`${say('remove')} ${source.name}`}
          >
            {say('remove')}
          </Button>
        </div>
      ))}
      <ConfirmAction
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={say('removeTitle', { name: removing?.name ?? '' })}
        effect={say('removeEffect')}
        confirmLabel={say('remove')}
        onConfirm={() => void (removing && remove.run({ params: { id: removing.id } }))}
        danger
      />
    </Sheet>
  )
}
