import { Modal } from '@mantine/core'
import type { ExploreAnswer, ExploreDimension } from '../../../lib/api/contract.ts'
import { useExploreMessages } from '../messages.ts'
import type { ExploreView } from '../view.ts'
import { AlertForm } from './alert-form.tsx'
import { AlertList } from './alert-list.tsx'
import classes from './alerts.module.css'
import { useAlertMessages } from './messages.ts'

/** An alert on the chart that is shown, and the alerts that there are. */
export const AlertDialog = (props: {
  view: ExploreView
  report: ExploreAnswer | undefined
  nameOf: (dimension: ExploreDimension, key: string) => string
  onClose: () => void
}) => {
  const say = useAlertMessages()
  const sayExplore = useExploreMessages()
  const { view } = props
  const filters = view.filters.map(({ dimension, is, values }) => {
    const shown = values.map((value) => (is === 'contains' ? value : props.nameOf(dimension, value)))
    return `${sayExplore(`${is}Text`, { dimension: sayExplore(`dimension_${dimension}`) })} ${shown.join(', ')}`
  })
  return (
    <Modal
      opened
      size="lg"
      onClose={props.onClose}
      title={<strong className="strong">{say('alerts')}</strong>}
      closeButtonProps={{ 'aria-label': say('closeAlerts') }}
    >
      <p className={classes.question}>{say('alertsText')}</p>
      <AlertForm
        view={view}
        question={[sayExplore(`metric_${view.metric}`), ...filters].join(' · ')}
        report={props.report}
      />
      <AlertList />
    </Modal>
  )
}
