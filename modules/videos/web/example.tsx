import { TaskExample } from '#web/components/task-log/task-example.tsx'
import { useSiteAddress } from '#web/lib/api/base-url.ts'

const exampleFor = (address: string): string => `curl ${address}/v1/videos -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model":"sora-2","prompt":"A cat on a skateboard","seconds":"4"}'`

/** The first video, with curl. */
export const VideoExample = () => <TaskExample code={exampleFor(useSiteAddress())} />
