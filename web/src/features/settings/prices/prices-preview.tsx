import { Button } from '@mantine/core'
import { useState } from 'react'
import { Sheet } from '../../../components/sheet.tsx'
import { calls, type PriceKey } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import classes from './prices.module.css'
import { PriceChanges } from './prices-changes.tsx'
import { usePriceMessages } from './prices-messages.ts'
import { TrafficChanges } from './prices-traffic.tsx'

export interface ChangedPrice {
  readonly key: PriceKey
  readonly value: string
}

interface PricePreviewProps {
  changes: readonly ChangedPrice[]
  /** Set where model ratios are reset, which the server works out. */
  reset?: boolean
  title: string
  text: string
  confirmLabel: string
  danger?: boolean
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** The effect of changed prices, before they are saved: by model, and on the calls of the last seven days. */
export const PricePreview = (props: PricePreviewProps) => {
  const say = usePriceMessages()
  const [busy, setBusy] = useState(false)
  const preview = useEndpoint(calls.previewPrices, {
    body: { changes: [...props.changes], ...(props.reset && { reset: true }) },
  })
  const data = preview.isPlaceholderData ? undefined : preview.data
  const failed = preview.error !== null && data === undefined
  const confirm = async (): Promise<void> => {
    setBusy(true)
    try {
      await props.onConfirm()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Sheet
      opened
      onClose={props.onClose}
      title={props.title}
      subtitle={props.text}
      width={760}
      loading={data === undefined && !failed}
      {...(failed ? { error: preview.error, onRetry: () => void preview.refetch() } : {})}
      footer={
        <>
          <span className={classes.grow} />
          <Button onClick={props.onClose} disabled={busy}>
            {say('cancel')}
          </Button>
          <Button
            variant="filled"
            color={props.danger ? 'bad' : 'accent'}
            loading={busy}
            disabled={data === undefined && !failed}
            onClick={() => void confirm()}
          >
            {failed ? say('saveBlind') : props.confirmLabel}
          </Button>
        </>
      }
    >
      {data && (
        <div className={classes.preview}>
          <TrafficChanges traffic={data.traffic} />
          <PriceChanges preview={data} />
        </div>
      )}
    </Sheet>
  )
}
