/** The keys of a shortcut, each in its cap. */
export function Keys({ keys }: { keys: string }) {
  return (
    <>
      {keys.split(" ").map((key, index) => (
        <kbd key={index}>{key}</kbd>
      ))}
    </>
  );
}
