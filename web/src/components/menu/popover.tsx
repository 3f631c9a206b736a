import type { ReactNode } from 'react'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { PopoverPanelProps } from './popover-panel.tsx'
import { type Popup, usePopup } from './popup.ts'

/** What opens at a button that its caller keeps the state of. */
export const PopoverPanel = onDemand<PopoverPanelProps>(async () => (await import('./popover-panel.tsx')).PopoverPanel)

/** Something that opens at a button: the button is drawn by the caller, the rest comes when it is pressed. */
export const Popover = ({
  button,
  children,
  ...panel
}: {
  button: (buttonProps: Popup['button']) => ReactNode
  /** What opens; `close` closes it. */
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
