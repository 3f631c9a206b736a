import type { ReactNode } from 'react'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { MenuEntry } from './menu-entry.ts'
import type { MenuPanelProps } from './menu-panel.tsx'
import { type Popup, usePopup } from './popup.ts'

const MenuPanel = onDemand<MenuPanelProps>(async () => (await import('./menu-panel.tsx')).MenuPanel)

/** A menu at a button: the button is drawn by the caller, the entries come when it is pressed. */
export const Menu = (props: {
  button: (buttonProps: Popup['button']) => ReactNode
  entries: () => readonly MenuEntry[]
  head?: ReactNode
  width?: number
}) => {
  const popup = usePopup('menu')
  return (
    <>
      {props.button(popup.button)}
      {popup.used && <MenuPanel {...props} popup={popup} />}
    </>
  )
}
