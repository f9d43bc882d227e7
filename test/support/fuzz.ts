/** How many inputs a property is tried with: few in every run, many when asked. */
export const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 2000);
