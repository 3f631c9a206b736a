/** The variable by which the supervising process numbers its workers. */
export const workerVariable = 'TOLLGATE_WORKER'
