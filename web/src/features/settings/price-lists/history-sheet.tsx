import { PriceHistory } from '../../../components/price-history/price-history.tsx'
import { Sheet } from '../../../components/sheet.tsx'

/** Present, earlier and announced prices of a model, over the editor of prices. */
export const PriceHistorySheet = ({ model, onClose }: { model: string; onClose: () => void }) => (
  <Sheet opened onClose={onClose} title={model} width={620}>
    <PriceHistory model={model} />
  </Sheet>
)
