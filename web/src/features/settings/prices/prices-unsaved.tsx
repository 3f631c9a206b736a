import { usePriceMessages } from './prices-messages.ts'
import { type ChangedPrice, PricePreview } from './prices-preview.tsx'

interface UnsavedPricesProps {
  changes: readonly ChangedPrice[]
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Effect of prices that are about to be saved. */
export const UnsavedPrices = ({ changes, onConfirm, onClose }: UnsavedPricesProps) => {
  const say = usePriceMessages()
  return (
    <PricePreview
      changes={changes}
      title={say('previewTitle')}
      text={say('previewText')}
      confirmLabel={say('saveNow')}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}
