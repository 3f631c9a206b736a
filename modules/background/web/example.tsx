import { TaskExample } from '#web/components/task-log/task-example.tsx'
import { useSiteAddress } from '#web/lib/api/base-url.ts'

const exampleFor = (address: string): string => `curl ${address}/v1/responses -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model":"gpt-4o","input":"Write a long story","background":true}'`

/** The first response in the background, with curl. */
export const BackgroundExample = () => <TaskExample code={exampleFor(useSiteAddress())} />
