import { useCallback, useState } from 'react'
import type { BulkAction } from '../../components/data-table/columns/column.ts'
import { type Channel, calls } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import type { ChannelTarget } from './bulk/chosen-channels.tsx'

const TestPanel = onDemand(async () => (await import('./tests/test-panel.tsx')).TestPanel)
const RefreshModels = onDemand(async () => (await import('./bulk/refresh-models.tsx')).RefreshModels)
const ChosenChannels = onDemand(async () => (await import('./bulk/chosen-channels.tsx')).ChosenChannels)

/** Which panel is open, about which channels. */
interface OpenPanel {
  what: 'test' | 'models'
  target: ChannelTarget
  clear: () => void
}

/** The preview of one channel, which has an address of its own, and the panels that test some or ask for their models. */
export const useChannelViews = () => {
  const [search, setSearch] = useSearchParams()
  const [panel, setPanel] = useState<OpenPanel>()
  const close = (): void => setPanel(undefined)
  const id = Number(search.health)
  const found = useEndpoint(calls.getChannel, { params: { id } }, { enabled: id > 0 })
  const openHealth = useCallback((channel: Channel): void => setSearch({ health: String(channel.id) }), [setSearch])
  return {
    openHealth,
    test: (rows: readonly Channel[]): void => setPanel({ what: 'test', target: { rows }, clear: close }),
    /** A bulk action that opens a panel about the selected channels, or about all that match. */
    bulk: (what: OpenPanel['what']): Pick<BulkAction<Channel>, 'onClick' | 'onMatching'> => ({
      onClick: (rows, clear) => setPanel({ what, target: { rows }, clear }),
      onMatching: (matching, clear) => setPanel({ what, target: { matching }, clear }),
    }),
    /** The channel whose preview is open. */
    shown: id > 0 && found.data?.id === id ? found.data : undefined,
    closeHealth: (): void => setSearch({ health: undefined }),
    panel,
    close,
  }
}

/** The open panel of `useChannelViews`. */
export const ChannelViews = ({ panel, close }: Pick<ReturnType<typeof useChannelViews>, 'panel' | 'close'>) => (
  <>
    {panel && (
      <ChosenChannels target={panel.target} onClose={close}>
        {(channels) =>
          panel.what === 'test' ? (
            <TestPanel channels={channels} onClose={close} />
          ) : (
            <RefreshModels
              channels={channels}
              onClose={close}
              onDone={() => {
                close()
                panel.clear()
              }}
            />
          )
        }
      </ChosenChannels>
    )}
  </>
)
