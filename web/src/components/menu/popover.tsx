import type { ReactNode } from 'react'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { PopoverPanelProps } from './popover-panel.tsx'
import { type Popup, usePopup } from './popup.ts'

/** A popover whose caller keeps the open state. */
export const PopoverPanel = onDemand<PopoverPanelProps>(async () => (await import('./popover-panel.tsx')).PopoverPanel)

/** Something that opens at a button: the button is drawn by the caller, the rest comes when it is pressed. */
export const Popover = ({
  button,
  children,
  ...panel
}: {
  button: (buttonProps: Popup['button']) => ReactNode
  /** The content; `close` closes it. */
  children: (close: () => void) => ReactNode
} & Omit<PopoverPanelProps, 'popup' | 'children'>) => {
  const popup = usePopup('dialog')
  return (
    <>
      {button(popup.button)}
      {popup.used && (
        <PopoverPanel {...panel} popup={popup}>
          {children(() => popup.setOpened(false))}
        </PopoverPanel>
      )}
    </>
  )
}
