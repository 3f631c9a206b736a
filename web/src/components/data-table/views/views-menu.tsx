import { Button } from '@mantine/core'
import { useState } from 'react'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { Icon } from '../../display/icon.tsx'
import { Menu } from '../../menu/menu.tsx'
import type { TableViews, ViewKind } from './table-views.ts'
import { useViewMessages } from './view-messages.ts'

const ViewsDialog = onDemand(async () => (await import('./views-dialog.tsx')).ViewsDialog)

const kinds: readonly ViewKind[] = ['builtIn', 'own', 'shared']

/** Shows one of the table's views, and opens the dialog in which they are saved. */
export const ViewsMenu = ({ views }: { views: TableViews }) => {
  const say = useViewMessages()
  const [managing, setManaging] = useState(false)
  return (
    <>
      <Menu
        width={240}
        button={(buttonProps) => (
          <Button variant="subtle" leftSection={<Icon name="eye" size={14} />} {...buttonProps}>
            {views.current ? say('current', { name: views.current.name }) : say('views')}
          </Button>
        )}
        entries={() => [
          ...kinds.flatMap((kind) =>
            views.all
              .filter((view) => view.kind === kind)
              .map((view, index) => ({
                id: `view ${view.id}`,
                label: view.name,
                current: views.current?.id === view.id,
                onClick: () => views.show(view),
                ...(views.defaultId === view.id ? { note: say('defaultMark') } : {}),
                ...(index === 0 ? { group: say(kind) } : {}),
              })),
          ),
          { label: say('manage'), icon: 'edit', onClick: () => setManaging(true) },
        ]}
      />
      {managing && <ViewsDialog views={views} onClose={() => setManaging(false)} />}
    </>
  )
}
