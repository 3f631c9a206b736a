import { Button, Checkbox } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'
import { useState } from 'react'
import { useDateMessages } from '../../../components/date/messages.ts'
import { MomentField } from '../../../components/date/moment-field.tsx'
import { Failure } from '../../../components/form/failure.tsx'
import { Sheet } from '../../../components/sheet.tsx'
import { calls, type ListPriceChange, type PriceDecision, type PriceVersion } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import { readPicked } from '../../../lib/time/written-moment.ts'
import { TrafficChanges } from '../prices/prices-traffic.tsx'
import { ChangeRow } from './change-row.tsx'
import { usePriceListMessages } from './messages.ts'
import classes from './price-lists.module.css'

type Chosen = Readonly<Record<string, PriceDecision>>

const mostRows = 200

const Traffic = ({ id, decisions }: { id: number; decisions: Chosen }) => {
  const { data, error, isFetching } = useEndpoint(calls.previewPriceVersion, { params: { id }, body: { decisions } })
  if (error !== null) return <Failure error={error} />
  return data === undefined || isFetching ? <p className="muted">…</p> : <TrafficChanges traffic={data.traffic} />
}

interface ContentProps {
  version: PriceVersion
  changes: readonly ListPriceChange[]
  chosen: Chosen
  onChoose: (id: number, decision: PriceDecision) => void
}

const Content = ({ version, changes, chosen, onChoose }: ContentProps) => {
  const say = usePriceListMessages()
  const [onlyHeld, setOnlyHeld] = useState(version.held > 0)
  const [previewed, setPreviewed] = useState<Chosen>()
  const isOpen = version.status === 'proposed'
  // Served models first, then what is held back.
  const sorted = changes.toSorted(
    (a, b) => Number(b.served.length > 0) - Number(a.served.length > 0) || b.doubts.length - a.doubts.length,
  )
  const listed = onlyHeld ? sorted.filter(({ doubts }) => doubts.length > 0) : sorted
  const shown = listed.slice(0, mostRows)
  return (
    <div className={classes.body}>
      {version.held > 0 && (
        <Checkbox
          label={say('onlyHeld')}
          checked={onlyHeld}
          onChange={(event) => setOnlyHeld(event.currentTarget.checked)}
        />
      )}
      {isOpen && (
        <div>
          {previewed === undefined ? (
            <Button onClick={() => setPreviewed(chosen)}>{say('preview')}</Button>
          ) : (
            <Traffic id={version.id} decisions={chosen} />
          )}
        </div>
      )}
      <ul className={classes.changes} aria-label={say('changes')}>
        {shown.map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            decision={ownMember(chosen, String(change.id)) ?? change.decision}
            onDecide={isOpen ? (decision) => onChoose(change.id, decision) : undefined}
          />
        ))}
      </ul>
      {listed.length > shown.length && <p className="faint">{say('more', { count: listed.length - shown.length })}</p>}
    </div>
  )
}

/** One version of the prices: what it changes, and applying, scheduling, discarding or undoing it. */
export const VersionSheet = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const say = usePriceListMessages()
  const zone = useTimeZone()
  const [chosen, setChosen] = useState<Chosen>({})
  const [when, setWhen] = useState('')
  const { data, error, refetch } = useEndpoint(calls.getPriceVersion, { params: { id } })
  const refresh = [calls.listPriceVersions, calls.getPriceVersion, calls.getPriceHistory, calls.listPricing]
  const sayDate = useDateMessages()
  const at = readPicked(when, zone)
  const unreadable = when.trim() !== '' && at === undefined
  const apply = useAction(calls.applyPriceVersion, {
    refresh,
    done: say(at === undefined ? 'doneApply' : 'doneSchedule'),
    onDone: onClose,
  })
  const discard = useAction(calls.discardPriceVersion, { refresh, done: say('doneDiscard'), onDone: onClose })
  const undo = useAction(calls.undoPriceVersion, { refresh, done: say('doneUndo'), onDone: onClose })
  const version = data?.version
  const missing = data?.changes.filter(
    (change) => change.decision === undefined && ownMember(chosen, String(change.id)) === undefined,
  ).length
  const failed = apply.error ?? discard.error ?? undo.error
  const swallow = (work: Promise<unknown>): void => void work.catch(() => undefined)
  return (
    <Sheet
      opened
      onClose={onClose}
      title={version?.name ?? say('versions')}
      subtitle={version && say('versionText', { source: version.source })}
      width={760}
      loading={data === undefined && error === null}
      {...(error === null ? {} : { error, onRetry: () => void refetch() })}
      footer={
        version && (
          <>
            {version.status === 'proposed' && (
              <>
                <Button onClick={() => swallow(discard.submit({ params: { id } }))} loading={discard.busy}>
                  {say('discard')}
                </Button>
                <span className={classes.grow} />
                <Button
                  variant="filled"
                  loading={apply.busy}
                  disabled={missing !== 0 || unreadable}
                  onClick={() =>
                    swallow(
                      apply.submit({
                        params: { id },
                        body: { decisions: chosen, ...(at === undefined ? {} : { effective_from: at }) },
                      }),
                    )
                  }
                >
                  {say(at === undefined ? 'applyNow' : 'schedule')}
                </Button>
              </>
            )}
            {version.status === 'scheduled' && (
              <Button onClick={() => swallow(discard.submit({ params: { id } }))} loading={discard.busy}>
                {say('cancelSchedule')}
              </Button>
            )}
            {version.status === 'applied' && (
              <Button onClick={() => swallow(undo.submit({ params: { id } }))} loading={undo.busy}>
                {say('undo')}
              </Button>
            )}
          </>
        )
      }
    >
      {data && version && (
        <div className={classes.body}>
          {failed && <Failure error={failed} />}
          {missing !== undefined && missing > 0 && version.status === 'proposed' && (
            <p className={classes.warning} role="status">
              {say('missing', { count: missing })}
            </p>
          )}
          {version.status === 'proposed' && (
            <div className={classes.when}>
              <MomentField
                label={say('when')}
                value={when}
                error={unreadable && sayDate('format')}
                onChange={setWhen}
              />
            </div>
          )}
          <Content
            version={version}
            changes={data.changes}
            chosen={chosen}
            onChoose={(change, decision) => setChosen({ ...chosen, [String(change)]: decision })}
          />
        </div>
      )}
    </Sheet>
  )
}
