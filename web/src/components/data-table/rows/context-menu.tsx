import { useId, useState } from 'react'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import type { MenuPanelProps } from '../../menu/menu-panel.tsx'
import type { RowAction } from '../columns/column.ts'
import classes from '../data-table.module.css'

const MenuPanel = onDemand<MenuPanelProps>(async () => (await import('../../menu/menu-panel.tsx')).MenuPanel)

export interface ContextPlace {
  x: number
  y: number
  actions: readonly RowAction[]
}

/** A row's actions where the right button was pressed. */
export const ContextMenu = ({ place, onClose }: { place: ContextPlace | undefined; onClose: () => void }) => {
  const id = useId()
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const [used, setUsed] = useState(false)
  if (place && !used) setUsed(true)
  const popup = { id, target, opened: place !== undefined, setOpened: (opened: boolean) => opened || onClose() }
  return (
    <>
      <span
        ref={setTarget}
        aria-hidden="true"
        className={classes.contextPoint}
        style={{ left: place?.x ?? 0, top: place?.y ?? 0 }}
      />
      {used && <MenuPanel popup={popup} entries={() => place?.actions ?? []} place="point" />}
    </>
  )
}
